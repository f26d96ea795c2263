"""Takes commands from standard input, one a line, and answers each with one line.
listen ADDRESS PORT tcp|udp              -> ok         answers each client with its own address and port, and the client's address
connect FROM[/PORT] TO PORT tcp|udp COUNT WAIT  -> dnat ENDPOINT=CLIENT,... | reject | drop"""
import errno, socket, sys, threading

def family(address):
    return socket.AF_INET6 if ':' in address else socket.AF_INET

def name(pair):
    return ('[%s]:%d' if ':' in pair[0] else '%s:%d') % pair[:2]

def listen(address, port, protocol):
    s = socket.socket(family(address), socket.SOCK_STREAM if protocol == 'tcp' else socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, int(port)))
    me = name(s.getsockname())
    def tcp():
        while True:
            c, peer = s.accept()
            c.sendall(('%s=%s\n' % (me, peer[0])).encode())
            c.close()
    def udp():
        while True:
            _, peer = s.recvfrom(100)
            s.sendto(('%s=%s\n' % (me, peer[0])).encode(), peer)
    if protocol == 'tcp':
        s.listen(128)
    threading.Thread(target=tcp if protocol == 'tcp' else udp, daemon=True).start()
    return 'ok'

def connect(source, target, port, protocol, count, wait):
    seen = set()
    for _ in range(int(count)):
        s = socket.socket(family(target), socket.SOCK_STREAM if protocol == 'tcp' else socket.SOCK_DGRAM)
        s.settimeout(float(wait))
        try:
            s.bind((source.partition('/')[0], int(source.partition('/')[2] or 0)))
            s.connect((target, int(port)))
            if protocol == 'udp':
                s.send(b'?')
            seen.add(s.recv(200).decode().strip())
        except socket.timeout:
            return 'drop'
        except OSError as e:
            return 'reject' if e.errno in (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ECONNRESET) else 'error %s' % e
        finally:
            s.close()
    return 'dnat ' + ','.join(sorted(seen))

for line in sys.stdin:
    words = line.split()
    try:
        print({'listen': listen, 'connect': connect}[words[0]](*words[1:]), flush=True)
    except Exception as e:
        print('error %s' % e, flush=True)

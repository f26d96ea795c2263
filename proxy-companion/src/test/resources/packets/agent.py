"""Takes commands from standard input, one a line, and answers each with one line.
listen ADDRESS PORT tcp|udp              -> ok         answers each client with its own address and port, and the client's address
connect FROM[/PORT] TO PORT tcp|udp COUNT WAIT  -> dnat ENDPOINT=CLIENT,... | reject | drop
echo ADDRESS PORT                        -> ok         sends back what each client sends, over TCP
open TO PORT                             -> ok         opens a connection that stays
why                                      -> ERROR      what the system said when a connection was refused last
relay FROM TO                            -> ok         carries connections; a place is a port of 127.0.0.1 or the path of a socket
say WORD                                 -> WORD       sends it over the open connection, and tells what came back"""
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
            global refusal
            refusal = '%s after %s' % (e, sorted(seen))
            return 'reject' if e.errno in (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ECONNRESET) else 'error %s' % e
        finally:
            s.close()
    return 'dnat ' + ','.join(sorted(seen))

def echo(address, port):
    s = socket.create_server((address, int(port)), family=family(address))
    def serve(c):
        while data := c.recv(100):
            c.sendall(data)
    def accept():
        while True:
            threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return 'ok'

def relay(source, target):
    s = socket.socket(socket.AF_UNIX if '/' in source else socket.AF_INET)
    s.bind(source if '/' in source else ('127.0.0.1', int(source)))
    s.listen(128)
    def pump(a, b):
        try:
            while data := a.recv(65536):
                b.sendall(data)
        except OSError:
            pass
        for end in (a, b):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
    def accept():
        while True:
            a = s.accept()[0]
            b = socket.socket(socket.AF_UNIX if '/' in target else socket.AF_INET)
            try:
                b.connect(target if '/' in target else ('127.0.0.1', int(target)))
            except OSError:
                a.close()
                continue
            for pair in ((a, b), (b, a)):
                threading.Thread(target=pump, args=pair, daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return 'ok'

def open_(target, port):
    global connection
    connection = socket.create_connection((target, int(port)), timeout=10)
    return 'ok'

def say(word):
    connection.sendall(word.encode())
    return connection.recv(100).decode()

refusal = 'nothing'

for line in sys.stdin:
    words = line.split()
    try:
        print({'listen': listen, 'connect': connect, 'echo': echo, 'open': open_, 'say': say, 'relay': relay, 'why': lambda: refusal}[words[0]](*words[1:]), flush=True)
    except Exception as e:
        print('error %s' % e, flush=True)

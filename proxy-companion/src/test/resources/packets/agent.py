"""Takes commands from standard input, one a line, and answers each with one line.
listen ADDRESS PORT tcp|udp|sctp         -> ok         answers each client with its own address and port, and the client's address
connect FROM[/PORT] TO PORT tcp|udp|sctp COUNT WAIT  -> dnat ENDPOINT=CLIENT,... | reject | reset | drop
                                                       a rule rejects by ICMP, and a TCP port that nobody listens on resets
echo ADDRESS PORT                        -> ok         sends back what each client sends, over TCP
open TO PORT                             -> ok         opens a connection that stays
why                                      -> ERROR      what the system said when a connection was refused last
relay FROM TO                            -> ok         carries connections; a place is a port of 127.0.0.1 or the path of a socket
say WORD                                 -> WORD       sends it over the open connection, and tells what came back
Many kernels do not speak SCTP but lead it on. So its first two packets, INIT and INIT ACK, are made here; the answer is in the cookie of the second."""
import errno, itertools, random, socket, struct, sys, threading, time

def family(address):
    return socket.AF_INET6 if ':' in address else socket.AF_INET

def name(pair):
    return ('[%s]:%d' if ':' in pair[0] else '%s:%d') % pair[:2]

def sum_of(packet):
    """CRC32c, as RFC 9260 has it (appendix A)."""
    crc = 0xffffffff
    for byte in packet:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff

INIT, INIT_ACK, ABORT, COOKIE = 1, 2, 6, 7

def sctp_packet(source, target, tag, kind, own_tag, cookie=b''):
    parameter = struct.pack('!HH', COOKIE, 4 + len(cookie)) + cookie + b'\0' * (-len(cookie) % 4) if cookie else b''
    chunk = struct.pack('!BBHIIHHI', kind, 0, 20 + len(parameter), own_tag, 65536, 1, 1, own_tag) + parameter
    bare = struct.pack('!HHII', source, target, tag, 0) + chunk
    return bare[:8] + struct.pack('<I', sum_of(bare)) + bare[12:]

def sctp_parse(packet, ipv4):
    """Ports, tag, kind, the sender's own tag and the cookie; None if it is broken."""
    if ipv4:
        packet = packet[(packet[0] & 15) * 4:]
    source, target, tag = struct.unpack('!HHI', packet[:8])
    if struct.unpack('<I', packet[8:12])[0] != sum_of(packet[:8] + b'\0' * 4 + packet[12:]):
        return None
    kind, own_tag = packet[12], struct.unpack('!I', packet[16:20])[0] if len(packet) >= 20 else 0
    length = struct.unpack('!H', packet[34:36])[0] if len(packet) > 36 else 4
    return source, target, tag, kind, own_tag, packet[36:32 + length]

def sctp_listen(address, port):
    if (address, port) in listening:
        return 'in use'
    s = socket.socket(family(address), socket.SOCK_RAW, 132)
    s.bind((address, 0))
    listening.add((address, port))
    def answer():
        while True:
            packet, peer = s.recvfrom(2000)
            got = sctp_parse(packet, ':' not in address)
            if got and got[1] == port and got[3] == INIT:
                text = '%s=%s' % (name((address, port)), peer[0])
                s.sendto(sctp_packet(port, got[0], got[4], INIT_ACK, random.randrange(1, 1 << 32), text.encode()), (peer[0], 0))
    threading.Thread(target=answer, daemon=True).start()
    return 'ok'

def sctp_connect(source, target, port, wait):
    """Who answers; asked again each second, as a packet may be lost."""
    s = socket.socket(family(target), socket.SOCK_RAW, 132)
    own, tag = int(source.partition('/')[2] or next(ports)), random.randrange(1, 1 << 32)
    end = time.monotonic() + wait
    try:
        hear_errors(s, target)
        s.bind((source.partition('/')[0], 0))
        s.connect((target, 0))
        while time.monotonic() < end:
            s.send(sctp_packet(own, port, 0, INIT, tag))
            again = time.monotonic() + 1
            while (left := min(again, end) - time.monotonic()) > 0:
                s.settimeout(left)
                try:
                    got = sctp_parse(s.recv(2000), ':' not in target)
                except socket.timeout:
                    break
                if got and got[:3] == (port, own, tag):
                    if got[3] == ABORT:
                        raise OSError(errno.ECONNREFUSED, 'aborted')
                    if got[3] == INIT_ACK:
                        return got[5].decode()
        raise socket.timeout()
    finally:
        s.close()

def listen(address, port, protocol):
    if protocol == 'sctp':
        return sctp_listen(address, int(port))
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

def hear_errors(s, target):
    """To be told of all errors: IPV6_RECVERR, IP_RECVERR."""
    s.setsockopt(*((socket.IPPROTO_IPV6, 25, 1) if ':' in target else (socket.IPPROTO_IP, 11, 1)))

def is_icmp(s):
    """Whether the error of a socket came as ICMP: struct sock_extended_err has its origin as the fifth byte."""
    s.settimeout(0)
    try:
        return any(data[4] in (2, 3) for _, _, data in s.recvmsg(2000, 2000, socket.MSG_ERRQUEUE)[1])
    except OSError:
        return False

def failed(e, seen, s=None):
    global refusal
    if isinstance(e, socket.timeout):
        return 'drop'
    if s and s.type == socket.SOCK_STREAM and e.errno in (errno.ECONNREFUSED, errno.ECONNRESET) and not is_icmp(s):
        return 'reset'
    refusal = '%s after %s' % (e, sorted(seen))
    refused = (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ECONNRESET, errno.ENOPROTOOPT)
    return 'reject' if e.errno in refused else 'error %s' % e

def connect(source, target, port, protocol, count, wait):
    seen = set()
    for _ in range(int(count)):
        if protocol == 'sctp':
            try:
                seen.add(sctp_connect(source, target, int(port), float(wait)))
                continue
            except OSError as e:
                return failed(e, seen)
        s = socket.socket(family(target), socket.SOCK_STREAM if protocol == 'tcp' else socket.SOCK_DGRAM)
        s.settimeout(float(wait))
        try:
            if protocol == 'tcp':
                hear_errors(s, target)
            s.bind((source.partition('/')[0], int(source.partition('/')[2] or 0)))
            s.connect((target, int(port)))
            if protocol == 'udp':
                s.send(b'?')
            seen.add(s.recv(200).decode().strip())
        except OSError as e:
            return failed(e, seen, s)
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
listening = set()
# No port twice: the kernel remembers where the last packet from it went.
ports = itertools.cycle(range(20000, 60000))

for line in sys.stdin:
    words = line.split()
    try:
        print({'listen': listen, 'connect': connect, 'echo': echo, 'open': open_, 'say': say, 'relay': relay, 'why': lambda: refusal}[words[0]](*words[1:]), flush=True)
    except Exception as e:
        print('error %s' % e, flush=True)

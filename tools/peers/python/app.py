"""An application on C-core that executes the commands on its standard input; see test/interop/support/app.ts."""

import json
import os
import sys
from concurrent import futures

import grpc
import grpc_admin

channels = {}


def channel(target):
    if target not in channels:
        channels[target] = grpc.insecure_channel(target)
    return channels[target]


def connect(target):
    # Requesting a connection starts the resolver, which starts the watches.
    channel(target).subscribe(lambda _: None, try_to_connect=True)
    return {}


def close(target):
    channels.pop(target).close()
    return {}


def call(target, method, metadata=(), timeout=3, waitForReady=False):
    invoke = channel(target).unary_unary(method)
    pairs = [(key, value) for key, value in metadata]
    try:
        answer = invoke(b"", timeout=timeout, metadata=pairs, wait_for_ready=waitForReady)
        return {"code": "OK", "message": "", "answer": answer.decode()}
    except grpc.RpcError as error:
        return {"code": error.code().name, "message": error.details()}


def calls(calls, atOnce):
    """Returns the outcomes in the order of the calls."""
    with futures.ThreadPoolExecutor(atOnce) as pool:
        return {"outcomes": list(pool.map(lambda one: call(**one), calls))}


class Echo(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(lambda request, context: b"served")


servers = []


def serve(port):
    server = grpc.server(futures.ThreadPoolExecutor(4), handlers=[Echo()], xds=True)
    credentials = grpc.xds_server_credentials(grpc.insecure_server_credentials())
    server.add_secure_port(f"127.0.0.1:{port}", credentials)
    server.start()
    servers.append(server)
    return {}


OPERATIONS = {"connect": connect, "close": close, "call": call, "calls": calls, "serve": serve}


def main():
    admin = grpc.server(futures.ThreadPoolExecutor(4))
    grpc_admin.add_admin_servicers(admin)
    port = admin.add_insecure_port("127.0.0.1:0")
    admin.start()
    print(json.dumps({"admin": port, "version": "grpcio " + grpc.__version__}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(OPERATIONS[command.pop("op")](**command)), flush=True)
    # Busy channels must not keep the process alive.
    os._exit(0)


main()

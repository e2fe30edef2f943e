"""C-core as an oracle: channels, calls and CSDS dumps, as lines of JSON; see tools/oracle/oracle-program.ts."""

import base64
import json
import os
import sys
import threading
import time
from concurrent import futures

import grpc
from grpc._cython import cygrpc

channels = {}
background = {}
streams = {}
servers = []


def setenv(name, value):
    os.environ[name] = value
    return {}


def connect(target, channel=None, options=()):
    made = grpc.insecure_channel(target, options=[tuple(option) for option in options])
    channels[channel or target] = made
    # Starts the resolver, which starts the watches. The public API would do the same, but keep a thread busy.
    made._channel.check_connectivity_state(True)
    return {}


def close(channel):
    channels.pop(channel).close()
    return {}


def ended(error, began):
    return {"code": error.code().name, "message": error.details(), "seconds": time.monotonic() - began}


def existing(channel, target):
    # A call may be the first to need its channel.
    if channel not in channels:
        channels[channel] = grpc.insecure_channel(target or channel)
    return channels[channel]


def call(channel, method, target=None, metadata=(), timeout=3, waitForReady=False):
    began = time.monotonic()
    # Values stay unchecked: tests also send names and values that a peer rejects.
    pairs = [(key, value.encode() if key.endswith("-bin") else value) for key, value in metadata]
    try:
        answer = existing(channel, target).unary_unary(method)(
            b"", timeout=timeout, metadata=pairs, wait_for_ready=waitForReady
        )
        return {"code": "OK", "answer": answer.decode(), "seconds": time.monotonic() - began}
    except grpc.RpcError as error:
        return ended(error, began)


def start(label, **options):
    def run():
        background[label] = (thread, call(**options))

    thread = threading.Thread(target=run, daemon=True)
    background[label] = (thread, None)
    thread.start()
    return {}


def join(label):
    background[label][0].join()
    return background[label][1]


def stream(label, channel, method, target=None):
    more = threading.Event()

    def requests():
        yield b""
        more.wait()

    answers = existing(channel, target).stream_stream(method)(requests(), timeout=60)
    next(answers)
    streams[label] = (answers, more)
    return {}


def endStream(label):
    answers, more = streams.pop(label)
    began = time.monotonic()
    more.set()
    try:
        for _ in answers:
            pass
        return {"code": "OK", "seconds": time.monotonic() - began}
    except grpc.RpcError as error:
        return ended(error, began)


def serve(address):
    server = grpc.server(futures.ThreadPoolExecutor(2), xds=True)
    server.add_insecure_port(address)
    server.start()
    servers.append(server)
    return {}


def csds():
    # The response that grpcio-csds would send.
    return {"response": base64.b64encode(cygrpc.dump_xds_configs()).decode()}


OPERATIONS = {
    operation.__name__: operation
    for operation in (setenv, connect, close, call, start, join, stream, endStream, serve, csds)
}


def main():
    print(json.dumps({"version": "grpcio " + grpc.__version__}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(OPERATIONS[command.pop("op")](**command)), flush=True)
    # Queued calls must not keep the process alive.
    os._exit(0)


main()

"""Prints the serialized FileDescriptorProtos in the *_pb2.py files of a wheel as one FileDescriptorSet.

protoc writes each descriptor as a bytes literal. This script reads the literals without importing the files, so that it
needs neither protobuf nor the packages that they import.
"""

import ast
import sys
import zipfile


def literals(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "AddSerializedFile":
            yield node.args[0].value


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in sorted(wheel.namelist()):
        if name.endswith("_pb2.py"):
            for file in literals(wheel.read(name)):
                sys.stdout.buffer.write(b"\x0a" + varint(len(file)) + file)

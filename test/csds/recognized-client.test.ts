import { describe, expect, it } from 'vitest';
import { recognizedClient, recognizedText } from '../../src/csds/recognized-client.js';
import { Node } from '../../src/proto/generated/envoy.config.core.v3.js';

const node = (name: string, version: string): Node =>
  Node.create({ userAgentName: name, userAgentVersionType: { kind: 'userAgentVersion', value: version } });

describe('recognizedClient', () => {
  it.each([
    ['gRPC Go', '1.85.0', 'grpc-go', true, 'gRPC Go 1.85.0: shown as grpc-go 1.85.0'],
    ['gRPC Go', '1.71.0', 'grpc-go', false, 'gRPC Go 1.71.0: shown as grpc-go 1.85.0'],
    ['gRPC Java', '1.85.1', 'grpc-java', true, 'gRPC Java 1.85.1: shown as grpc-java 1.85.1'],
    ['gRPC Node Pure JS', '1.14.1', 'grpc-node', true, 'gRPC Node Pure JS 1.14.1: shown as @grpc/grpc-js-xds 1.14.1'],
    [
      'gRPC C-core linux Python',
      'C-core 58.0.0 Python 1.85.1',
      'c-core',
      true,
      'gRPC C-core linux Python (C-core 58.0.0 Python 1.85.1): shown as C-core 1.85.1',
    ],
  ])('recognises %s %s', (name, version, preset, exact, text) => {
    const client = recognizedClient(node(name, version));
    expect(client).toEqual({ implementation: name, version, preset, exact });
    expect(client && recognizedText(client)).toBe(text);
  });

  it.each(['envoy', '', 'gRPC Gold', 'mygRPC Go'])('does not recognise "%s"', (name) => {
    expect(recognizedClient(node(name, '1'))).toBeUndefined();
  });
});

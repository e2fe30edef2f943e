/** Messages stay bytes: grpc-js neither encodes nor decodes them. */
export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
export const same = (bytes: Buffer): Buffer => bytes;

const BYTES = {
  requestSerialize: asBuffer,
  requestDeserialize: same,
  responseSerialize: asBuffer,
  responseDeserialize: same,
};
/** Method types for service definitions. */
export const UNARY = { requestStream: false, responseStream: false, ...BYTES };
export const BIDI = { requestStream: true, responseStream: true, ...BYTES };

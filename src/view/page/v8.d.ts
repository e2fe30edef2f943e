/** Engines of browsers other than V8 ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}

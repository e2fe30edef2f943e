import { serversOnServe } from '../support/servers-on-serve.js';

// grpc-java listens on every address, and requests its listener by that address.
serversOnServe('grpc-java-app', 'HttpFilter [none]', '0.0.0.0');

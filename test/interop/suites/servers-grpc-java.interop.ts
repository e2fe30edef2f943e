import { serversOnServe } from '../support/servers-on-serve.js';

// It listens on every address, and asks for its listener by that.
serversOnServe('grpc-java-app', 'HttpFilter [none]', '0.0.0.0');

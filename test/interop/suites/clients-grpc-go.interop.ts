import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-go-app', 'resource "one": unsupported cluster type (STATIC, <nil>)');

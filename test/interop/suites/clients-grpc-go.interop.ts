import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-go-app', { refusal: 'resource "one": unsupported cluster type (STATIC, <nil>)' });

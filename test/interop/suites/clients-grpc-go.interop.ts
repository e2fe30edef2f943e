import { clientsOnServe } from '../support/clients-on-serve.js';

clientsOnServe('grpc-go-app', { nackMessage: 'resource "one": unsupported cluster type (STATIC, <nil>)' });

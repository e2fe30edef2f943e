import { predictionSuite } from '../support/prediction-suite.js';

predictionSuite('grpc-node');

#!/usr/bin/env node
require('../dist/cli.js').runProcess(__filename);

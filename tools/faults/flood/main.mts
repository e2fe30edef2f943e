/** Runs a flooding control plane: `main.mts <update|repeat|reject|tear> <responses per second, 0 for no limit> [clusters]`. */

import { FLOODS, type Flood } from './messages.ts';
import { FloodServer } from './server.ts';

const [kind = 'update', rate = '0', clusters = '1'] = process.argv.slice(2);
if (!FLOODS.includes(kind as Flood)) throw new Error(`unknown flood ${kind}: use one of ${FLOODS.join(', ')}`);
const server = new FloodServer(kind as Flood, { perSecond: Number(rate), clusters: Number(clusters) });
const port = await server.listen();
console.log(`flooding control plane on 127.0.0.1:${port}`);
process.send?.({ port });
process.on('message', () => process.send?.({ sent: server.sent, late: server.late }));
process.on('disconnect', () => process.exit());

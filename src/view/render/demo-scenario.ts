import type { DemoScenarioPart } from '../documents.js';
import { visible } from '../visible-text.js';
import { wrapped } from './wrap.js';

const WIDTH = 96;

export const demoScenarioText = () => partText;

function partText(part: DemoScenarioPart): string {
  switch (part.kind) {
    case 'title': {
      const servers = [...part.addresses].map(([name, address]) => `${visible(name)} on ${address}`).join(', ');
      return `${visible(part.title)}\n\nThe control plane: ${servers}. Below, → is a request and ← a response; times are UTC.\n`;
    }
    case 'said':
      return `\n${wrapped(visible(part.text), WIDTH).join('\n')}\n\n`;
    case 'next':
      return `\nNext:\n  ${part.program} serve ${part.path}   this control plane, for your own client\n  ${part.program} --help\n`;
  }
}

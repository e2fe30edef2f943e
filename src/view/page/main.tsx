import { render } from 'preact';
import { showState } from './address.js';
import { App } from './app.js';
import { startKeys } from './keys.js';
import { loadPage, sentenceOf } from './load.js';
import { data } from './store.js';
import { startTheme } from './theme.js';
import { startFollowing } from './timeline/follow.js';
import { startWhatIf } from './what-if.js';

async function start(): Promise<void> {
  const root = document.getElementById('app') as HTMLElement;
  const say = (sentence: string): void => render(<p class="loading">{sentence}</p>, root);
  startTheme();
  try {
    await loadPage(say);
  } catch (error) {
    say(sentenceOf(error));
    throw error;
  }
  showState(data.peek()?.initial ?? {});
  render(<App />, root);
  startKeys();
  startWhatIf();
  startFollowing();
}

void start();

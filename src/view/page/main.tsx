import { render } from 'preact';
import { showState } from './address.js';
import { App } from './app.js';
import { loadPage, sentenceOf } from './load.js';
import { data } from './store.js';

async function start(): Promise<void> {
  const root = document.getElementById('app') as HTMLElement;
  const say = (sentence: string): void => render(<p class="loading">{sentence}</p>, root);
  try {
    await loadPage(say);
    showState(data.peek()?.initial ?? {});
    render(<App />, root);
  } catch (error) {
    say(sentenceOf(error));
    throw error;
  }
}

void start();

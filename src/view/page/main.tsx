import { render } from 'preact';
import { blobText, pageData } from './embedded.js';

/** A placeholder: shows that the data can be read. */
async function start(): Promise<void> {
  const data = pageData();
  const [client] = data.clients;
  const recording = client === undefined ? '' : await blobText(client.recording);
  render(
    <p>
      {data.title}: {recording.split('\n').length - 1} lines
    </p>,
    document.getElementById('app') as HTMLElement,
  );
}

void start();

import { describe, expect, it } from 'vitest';
import { withoutHome } from '../../src/base/home-path.js';

describe('the home directory in a text', () => {
  it.each([
    ['/home/alice/b.json', '/home/alice', '~/b.json'],
    ['GRPC_XDS_BOOTSTRAP=/home/alice/b.json', '/home/alice/', 'GRPC_XDS_BOOTSTRAP=~/b.json'],
    ['"/home/alice" and file:///home/alice/x', '/home/alice', '"~" and file://~/x'],
    ['{"file":"C:\\\\Users\\\\bob\\\\b.json"}', 'C:\\Users\\bob', '{"file":"~\\\\b.json"}'],
    ['C:\\Users\\bob\\b.json', 'C:\\Users\\bob', '~\\b.json'],
    ['/home/al.ice/x', '/home/al.ice', '~/x'],
  ])('%s with the home %s becomes %s', (text, home, shown) => {
    expect(withoutHome(text, home)).toBe(shown);
  });

  it.each([
    ['/home/alice2/b.json', '/home/alice'],
    ['/srv/home/alice/b.json', '/home/alice'],
    ['/home/alXice/x', '/home/al.ice'],
    ['/root/a.Service', '/root'],
    ['/x', '/'],
    ['/x', ''],
    ['a/b', 'a/b'],
    ['/x', undefined],
  ])('%s with the home %j stays', (text, home) => {
    expect(withoutHome(text, home)).toBe(text);
  });
});

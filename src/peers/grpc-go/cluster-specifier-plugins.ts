import type { MessageView } from '../message-view.js';
import { hasUrlOf, typeUrlOf, unmarshalTo } from './any.js';
import { quoted } from './go-text.js';
import { reject, within } from './rejection.js';
import { validateRouteLookup } from './rls.js';
import { printMessage } from './text-format.js';

const RLS = 'grpc.lookup.v1.RouteLookupClusterSpecifier';

/** What grpc-go does with routes to a plugin: it ignores those to an optional plugin that it does not know. */
export type PluginUse = 'used' | 'ignored';

export function validatePlugins(config: MessageView): Map<string, PluginUse> {
  const plugins = new Map<string, PluginUse>();
  for (const plugin of config.messages('cluster_specifier_plugins')) {
    const extension = plugin.message('extension');
    const name = extension?.text('name') ?? '';
    const any = extension?.message('typed_config');
    const url = typeUrlOf(any);
    if (any !== undefined && hasUrlOf(any, RLS)) {
      validateRls(any, name);
      plugins.set(name, 'used');
    } else if (plugin.flag('is_optional')) plugins.set(name, 'ignored');
    else reject(plugin, `cluster specifier ${quoted(name)} of type ${quoted(url)} was not found`, 'extension');
  }
  return plugins;
}

function validateRls(any: MessageView, name: string): void {
  within(
    (error) => {
      const where = `for cluster specifier ${quoted(name)} of type ${quoted(typeUrlOf(any))}`;
      return `error: ${quoted(error)} parsing config ${quoted(printMessage(any))} ${where}`;
    },
    () => {
      const failure = (error: string): string => `rls_csp: error parsing config ${printMessage(any)}: ${error}`;
      validateRouteLookup(unmarshalTo(RLS, any, failure));
    },
  );
}

import {
  byHand,
  type Load,
  loadArray,
  loadBoolean,
  loadMap,
  loadObject,
  loadString,
  objectOf,
  optional,
  required,
} from '../base/json/fields.js';
import type { JsonNode } from '../base/json/node.js';
import { readJson } from '../base/json/reader.js';
import type { FieldError } from '../base/validation-errors.js';
import { ValidationErrors } from '../base/validation-errors.js';
import {
  type Authority,
  type Bootstrap,
  type BootstrapNode,
  type CertificateProvider,
  SERVER_FEATURES,
  type XdsServer,
} from './bootstrap.js';
import { neededFiles, readCallCreds, readChannelCreds, readTlsFiles } from './read-creds.js';
import type { Switches } from './switches.js';

/** A parsed bootstrap, or its errors. `message` is the message of C-core. `root` is defined if the text is JSON. */
export type BootstrapResult =
  | { ok: true; bootstrap: Bootstrap; root: JsonNode }
  | {
      ok: false;
      message: string;
      syntax: { reason: string; offset: number } | undefined;
      fields: FieldError[];
      root: JsonNode | undefined;
    };

/** Reads a bootstrap like C-core: reports all errors together, with exactly the messages of C-core. */
export function readBootstrap(bytes: Uint8Array, switches: Switches): BootstrapResult {
  const json = readJson(bytes);
  if (!json.ok) {
    const message = `Failed to parse bootstrap JSON string: INVALID_ARGUMENT: ${json.message}`;
    return { ok: false, message, syntax: { reason: json.message, offset: json.offset }, fields: [], root: undefined };
  }
  return resultFor(json.root, loadBootstrap(switches, false));
}

/**
 * Reads a bootstrap of a recording, which a client has accepted: switches were applied, and grpc-go, grpc-java and
 * grpc-js-xds accept some bootstraps that C-core rejects.
 */
export function readRecordedBootstrap(bytes: Uint8Array, switches: Switches): BootstrapResult {
  const json = readJson(bytes);
  if (!json.ok) return readBootstrap(bytes, switches);
  const all = { ...switches, federation: true, callCreds: true, extProcOnClient: true, mtlsSpiffe: true };
  return resultFor(json.root, loadBootstrap(all, true));
}

function resultFor(root: JsonNode, load: Load<Bootstrap>): BootstrapResult {
  const errors = new ValidationErrors();
  const bootstrap = load(root, errors);
  if (bootstrap !== undefined && errors.size === 0) return { ok: true, bootstrap, root };
  return {
    ok: false,
    message: errors.message('errors validating JSON'),
    syntax: undefined,
    fields: errors.list(),
    root,
  };
}

function loadBootstrap(switches: Switches, isAccepted: boolean): Load<Bootstrap> {
  return objectOf((object, errors) => {
    const server = loadServer(switches);
    const { federation, extProcOnClient } = switches;
    const bootstrap: Bootstrap = {
      servers: required(object, 'xds_servers', loadArray(server), errors) ?? [],
      node: optional(object, 'node', loadNode, errors),
      certificateProviders:
        optional(object, 'certificate_providers', loadMap(loadProvider(switches, isAccepted)), errors) ?? new Map(),
      serverListenerTemplate: optional(object, 'server_listener_resource_name_template', loadString, errors) ?? '',
      authorities: (federation && optional(object, 'authorities', loadMap(loadAuthority(server)), errors)) || new Map(),
      clientDefaultListenerTemplate:
        (federation && optional(object, 'client_default_listener_resource_name_template', loadString, errors)) || '',
      allowedGrpcServices:
        (extProcOnClient && optional(object, 'allowed_grpc_services', loadMap(loadAllowedService), errors)) ||
        new Map(),
    };
    if (isAccepted) return bootstrap;
    const list = object.fields.get('xds_servers')?.node;
    errors.field('xds_servers', () => {
      if ((list?.kind !== 'array' || list.elements.length === 0) && !errors.fieldHasErrors)
        errors.add('must be non-empty');
    });
    errors.field('authorities', () => {
      for (const [name, { clientListenerTemplate }] of bootstrap.authorities)
        errors.entry(name, () => checkTemplate(name, clientListenerTemplate, errors));
    });
    return bootstrap;
  });
}

function checkTemplate(authority: string, template: string, errors: ValidationErrors): void {
  const prefix = `xdstp://${authority}/`;
  if (template === '' || template.startsWith(prefix)) return;
  errors.field('client_listener_resource_name_template', () => errors.add(`field must begin with "${prefix}"`));
}

function loadServer(switches: Switches): Load<XdsServer> {
  return objectOf((object, errors) => {
    const creds = readChannelCreds(object, errors);
    const callCreds = switches.callCreds ? readCallCreds(object, errors) : [];
    const features = byHand(object, 'server_features', loadFeatures, errors, false) ?? new Set();
    const uri = byHand(object, 'server_uri', loadString, errors, true);
    return creds === undefined || uri === undefined ? undefined : { uri, creds, callCreds, features };
  });
}

/** R4.7: reads the features that gRPC knows and ignores all other elements of the list. */
const loadFeatures: Load<XdsServer['features']> = (node, errors) => {
  if (node.kind !== 'array') return errors.add('is not an array');
  const named = new Set(node.elements.flatMap((one) => (one.kind === 'string' ? [one.value] : [])));
  return new Set(SERVER_FEATURES.filter((feature) => named.has(feature)));
};

const loadNode: Load<BootstrapNode> = objectOf((object, errors) => {
  const locality = optional(object, 'locality', loadLocality, errors) ?? { region: '', zone: '', subZone: '' };
  return {
    id: optional(object, 'id', loadString, errors) ?? '',
    cluster: optional(object, 'cluster', loadString, errors) ?? '',
    locality,
    metadata: optional(object, 'metadata', loadObject, errors),
  };
});

const loadLocality: Load<BootstrapNode['locality']> = objectOf((object, errors) => {
  const part = (name: string): string => optional(object, name, loadString, errors) ?? '';
  return { region: part('region'), zone: part('zone'), subZone: part('sub_zone') };
});

function loadAuthority(server: Load<XdsServer>): Load<Authority> {
  return objectOf((object, errors) => {
    return {
      clientListenerTemplate: optional(object, 'client_listener_resource_name_template', loadString, errors) ?? '',
      servers: optional(object, 'xds_servers', loadArray(server), errors) ?? [],
      fallbackOnReachabilityOnly: optional(object, 'fallback_on_reachability_only', loadBoolean, errors) ?? false,
    };
  });
}

function loadProvider(switches: Switches, isAccepted: boolean): Load<CertificateProvider> {
  return objectOf((object, errors) => {
    const pluginName = required(object, 'plugin_name', loadString, errors) ?? '';
    if (isAccepted && !object.fields.has('config')) return { pluginName, files: undefined };
    if (pluginName !== '' && pluginName !== 'file_watcher') {
      return errors.field('plugin_name', () => errors.add(`Unrecognized plugin name: ${pluginName}`));
    }
    const config = object.fields.get('config')?.node;
    return errors.field('config', () => {
      const configObject = config === undefined ? undefined : loadObject(config, errors);
      if (config !== undefined && configObject === undefined) return undefined;
      const files = pluginName === '' ? undefined : readTlsFiles(configObject, errors, neededFiles(switches));
      return { pluginName, files };
    });
  });
}

const loadAllowedService: Load<{
  creds: NonNullable<ReturnType<typeof readChannelCreds>>;
  callCreds: ReturnType<typeof readCallCreds>;
}> = objectOf((object, errors) => {
  const creds = readChannelCreds(object, errors);
  const callCreds = readCallCreds(object, errors);
  return creds && { creds, callCreds };
});

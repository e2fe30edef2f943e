import {
  type Permission,
  type Policy,
  type Principal,
  RBACAction,
  type RBACAuditLoggingOptions,
  RBACAuditLoggingOptionsAuditCondition,
  type RBACAuditLoggingOptionsAuditLoggerConfig,
} from '../../proto/generated/envoy.config.rbac.v3.js';
import type { HeaderMatcher as HeaderMatcherMessage } from '../../proto/generated/envoy.config.route.v3.js';
import { RBAC, RBACPerRoute } from '../../proto/generated/envoy.extensions.filters.http.rbac.v3.js';
import type {
  PathMatcher,
  StringMatcher as StringMatcherMessage,
} from '../../proto/generated/envoy.type.matcher.v3.js';
import { withExtension } from '../common/extension.js';
import { type HeaderMatcher, readHeaderMatcher } from '../common/header-matcher.js';
import { readStringMatcher, type StringMatcher } from '../common/string-matcher.js';
import type { Validation } from '../validation.js';
import { decodeConfig, type HttpFilter } from './http-filter.js';

/** The rules of an RBAC filter (A41). If it is `undefined`, all RPCs are allowed. */
export interface RbacConfig {
  action: 'ALLOW' | 'DENY';
  policies: ReadonlyMap<string, RbacPolicy>;
}

interface RbacPolicy {
  permissions: (RbacRule | undefined)[];
  principals: (RbacRule | undefined)[];
}

/** A permission or a principal. */
export type RbacRule =
  | { kind: 'and' | 'or'; rules: (RbacRule | undefined)[] }
  | { kind: 'not'; rule: RbacRule | undefined }
  | { kind: 'any' }
  | { kind: 'header'; header: HeaderMatcher | undefined }
  | { kind: 'path' | 'requested server name'; matcher: StringMatcher | undefined }
  | { kind: 'authenticated'; name: StringMatcher | undefined }
  | { kind: 'destination ip' | 'source ip' | 'direct remote ip' | 'remote ip'; prefix: string; length: number }
  | { kind: 'destination port'; port: number }
  | { kind: 'metadata'; invert: boolean };

const MAX_DEPTH = 16;
const STDOUT_LOGGER = 'envoy.extensions.rbac.audit_loggers.stream.v3.StdoutAuditLog';

/**
 * Reads rules as C-core does. In server listeners and in overrides C-core validates them twice: when it converts them
 * to JSON and when it parses that JSON. So one mistake can cause two errors. `twice` is false inside a composite
 * filter.
 */
class RbacReader {
  readonly #validation: Validation;
  readonly #twice: boolean;

  constructor(validation: Validation, twice: boolean) {
    this.#validation = validation;
    this.#twice = twice;
  }

  read({ rules }: RBAC): RbacConfig | undefined {
    const validation = this.#validation;
    // C-core treats the LOG action as if there were no rules, and does not validate them.
    if (rules === undefined || rules.action === RBACAction.LOG) return undefined;
    return validation.field('rules', () => {
      if (rules.action !== RBACAction.ALLOW && rules.action !== RBACAction.DENY) {
        validation.addFieldError('action', 'unknown action');
      }
      const policies = new Map<string, RbacPolicy>();
      for (const [key, policy] of rules.policies) {
        policies.set(
          key,
          validation.entry('policies', key, () => this.#policy(policy)),
        );
      }
      const audit = rules.auditLoggingOptions;
      if (validation.context.switches.rbacAuditLogging && audit !== undefined) {
        validation.field('audit_logging_options', () => this.#audit(audit));
      }
      return { action: rules.action === RBACAction.ALLOW ? 'ALLOW' : 'DENY', policies };
    });
  }

  #policy({ permissions, principals, condition, checkedCondition }: Policy): RbacPolicy {
    const validation = this.#validation;
    if (condition !== undefined) validation.addFieldError('condition', 'condition not supported');
    if (checkedCondition !== undefined)
      validation.addFieldError('checked_condition', 'checked condition not supported');
    return {
      permissions: permissions.map((one, i) => validation.item('permissions', i, () => this.#permission(one, 0))),
      principals: principals.map((one, i) => validation.item('principals', i, () => this.#principal(one, 0))),
    };
  }

  #permission({ rule }: Permission, depth: number): RbacRule | undefined {
    const validation = this.#validation;
    if (depth > MAX_DEPTH) return validation.addError('exceeded max recursion depth');
    switch (rule?.kind) {
      case 'andRules':
      case 'orRules': {
        const kind = rule.kind === 'andRules' ? 'and' : 'or';
        // C-core prints `and_permission` for `and_rules`.
        return validation.segment(`.${kind}_permission`, [`${kind}_rules`], () => ({
          kind,
          rules: rule.value.rules.map((one, i) => validation.item('rules', i, () => this.#permission(one, depth + 1))),
        }));
      }
      case 'notRule':
        return validation.field('not_rule', () => ({ kind: 'not', rule: this.#permission(rule.value, depth + 1) }));
      case 'destinationIp':
        return { kind: 'destination ip', prefix: rule.value.addressPrefix, length: rule.value.prefixLen ?? 0 };
      case 'destinationPort':
        return { kind: 'destination port', port: rule.value };
      case 'requestedServerName':
        return validation.field('requested_server_name', () => ({
          kind: 'requested server name',
          matcher: this.#string(rule.value),
        }));
      default:
        return this.#shared(rule);
    }
  }

  #principal({ identifier }: Principal, depth: number): RbacRule | undefined {
    const validation = this.#validation;
    if (depth > MAX_DEPTH) return validation.addError('exceeded max recursion depth');
    switch (identifier?.kind) {
      case 'andIds':
      case 'orIds': {
        const kind = identifier.kind === 'andIds' ? 'and' : 'or';
        return validation.field(`${kind}_ids`, () => ({
          kind,
          rules: identifier.value.ids.map((one, i) => validation.item('ids', i, () => this.#principal(one, depth + 1))),
        }));
      }
      case 'notId':
        return validation.field('not_id', () => ({ kind: 'not', rule: this.#principal(identifier.value, depth + 1) }));
      case 'authenticated': {
        const name = identifier.value.principalName;
        if (name === undefined) return { kind: 'authenticated', name: undefined };
        return validation.segment('.authenticated.principal_name', ['authenticated', 'principal_name'], () => ({
          kind: 'authenticated',
          name: this.#string(name),
        }));
      }
      case 'sourceIp':
      case 'directRemoteIp':
      case 'remoteIp': {
        const { addressPrefix: prefix, prefixLen: length = 0 } = identifier.value;
        return { kind: ADDRESSES[identifier.kind], prefix, length };
      }
      default:
        return this.#shared(identifier);
    }
  }

  /** Reads the rules that permissions and principals have in common. */
  #shared(rule: Permission['rule'] | Principal['identifier']): RbacRule | undefined {
    const validation = this.#validation;
    switch (rule?.kind) {
      case 'any':
        return { kind: 'any' };
      case 'header':
        return validation.field('header', () => ({ kind: 'header', header: this.#header(rule.value) }));
      case 'urlPath':
        return validation.field('url_path', () => ({ kind: 'path', matcher: this.#path(rule.value) }));
      case 'metadata':
        return { kind: 'metadata', invert: rule.value.invert };
      default:
        return validation.addError('invalid rule');
    }
  }

  #header(message: HeaderMatcherMessage): HeaderMatcher | undefined {
    const validation = this.#validation;
    if (message.name === ':scheme') validation.addFieldError('name', "':scheme' not allowed in header");
    else if (message.name.startsWith('grpc-'))
      validation.addFieldError('name', "'grpc-' prefixes not allowed in header");
    const specifier = message.headerMatchSpecifier;
    if (this.#twice && specifier === undefined) validation.addError('invalid route header matcher specified');
    if (specifier?.kind === 'stringMatch') this.#checkPattern(specifier.value);
    return readHeaderMatcher(message, validation);
  }

  #path({ rule }: PathMatcher): StringMatcher | undefined {
    const validation = this.#validation;
    return validation.field('path', () =>
      rule === undefined ? validation.addError('field not present') : this.#string(rule.value),
    );
  }

  #string(message: StringMatcherMessage): StringMatcher | undefined {
    this.#checkPattern(message);
    return readStringMatcher(message, this.#validation);
  }

  /** Adds the error of the conversion to JSON for a matcher without a pattern. */
  #checkPattern({ matchPattern: pattern }: StringMatcherMessage): void {
    if (this.#twice && (pattern === undefined || pattern.kind === 'custom'))
      this.#validation.addError('invalid match pattern');
  }

  #audit({ auditCondition, loggerConfigs }: RBACAuditLoggingOptions): void {
    const validation = this.#validation;
    if (!AUDIT_CONDITIONS.has(auditCondition)) validation.addFieldError('audit_condition', 'invalid audit condition');
    for (const [i, logger] of loggerConfigs.entries()) validation.item('logger_configs', i, () => this.#logger(logger));
  }

  #logger({ auditLogger, isOptional }: RBACAuditLoggingOptionsAuditLoggerConfig): void {
    const validation = this.#validation;
    validation.field('audit_logger', () => {
      if (auditLogger === undefined) return validation.addError('field not present');
      return validation.field('typed_config', () =>
        withExtension(auditLogger.typedConfig, validation, ({ type, value }) => {
          // C-core does not read the config of the logger. In a TypedStruct the type may be the name of the logger.
          const isKnown = value.kind === 'bytes' ? type === STDOUT_LOGGER : type === 'stdout_logger';
          if (!isKnown && !isOptional) validation.addError('unsupported audit logger type');
        }),
      );
    });
  }
}

const ADDRESSES = {
  sourceIp: 'source ip',
  directRemoteIp: 'direct remote ip',
  remoteIp: 'remote ip',
} as const;

const AUDIT_CONDITIONS: ReadonlySet<number> = new Set(Object.values(RBACAuditLoggingOptionsAuditCondition));

export const RBAC_FILTER: HttpFilter = {
  type: RBAC.typeName,
  overrideType: RBACPerRoute.typeName,
  onClients: false,
  onServers: true,
  read: (extension, validation, placement) => {
    const message = decodeConfig(RBAC, extension, 'could not parse HTTP RBAC filter config', validation);
    return message && { kind: 'rbac', rbac: new RbacReader(validation, placement === 'server listener').read(message) };
  },
  readOverride: (extension, validation) => {
    const message = decodeConfig(RBACPerRoute, extension, 'could not parse RBACPerRoute', validation);
    if (message === undefined) return undefined;
    const { rbac } = message;
    return { kind: 'rbac', rbac: rbac && validation.field('rbac', () => new RbacReader(validation, true).read(rbac)) };
  },
};

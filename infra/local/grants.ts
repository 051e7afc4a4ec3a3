// Enforces the grants in the function manifest, so that a missing grant fails on a laptop before it
// fails in the cloud.
import type {
  Bus,
  Egress,
  HttpClient,
  Mail,
  ProviderSettings,
  Query,
  Queue,
  Table,
  Vault,
  WebhookClient,
  Write,
} from '../../shared/platform/ports.ts';
import { type OutboundTarget, type ProviderSecret, postponedQueue, type TableAction } from '../function-spec.ts';
import type { HostedFunction } from './function-runner.ts';

export class NotGranted extends Error {}

const actionByWriteKind: Record<Write['kind'], TableAction> = {
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  check: 'ConditionCheckItem',
};

export function withTableGrants(
  table: Table,
  name: string,
  { table: granted, indexes = [] }: Pick<HostedFunction, 'table' | 'indexes'>,
): Table {
  const grantedIndexes: ReadonlySet<string> = new Set(indexes);
  const requireGrant = (...actions: TableAction[]) => {
    for (const action of actions) {
      if (!granted.includes(action)) {
        throw new NotGranted(
          `${name} may not call ${action}: add it to the table grants of ${name} in infra/functions.ts`,
        );
      }
    }
  };
  const requireQueryGrant = ({ index }: Query): void => {
    if (index === undefined) requireGrant('Query');
    else if (!grantedIndexes.has(index))
      throw new NotGranted(
        `${name} may not query the index ${index}: add it to the indexes of ${name} in infra/functions.ts`,
      );
  };
  return {
    async get(...args) {
      requireGrant('GetItem');
      return table.get(...args);
    },
    async batchGet(...args) {
      requireGrant('BatchGetItem');
      return table.batchGet(...args);
    },
    async query(query) {
      requireQueryGrant(query);
      return table.query(query);
    },
    async *queryAll(query) {
      requireQueryGrant(query);
      yield* table.queryAll(query);
    },
    async write(write) {
      requireGrant(actionByWriteKind[write.kind]);
      return table.write(write);
    },
    async transact(writes) {
      requireGrant(...writes.map(({ kind }) => actionByWriteKind[kind]));
      return table.transact(writes);
    },
    async batchWrite(writes) {
      requireGrant('BatchWriteItem');
      return table.batchWrite(writes);
    },
  };
}

export function withQueueGrants(
  queue: Queue,
  name: string,
  { sends, trigger }: Pick<HostedFunction, 'sends' | 'trigger'>,
): Queue {
  const requireGrant = (target: string) => {
    if (!sends.includes(target)) {
      throw new NotGranted(`${name} may not send to ${target}: add it to the sends of ${name} in infra/functions.ts`);
    }
  };
  return {
    async send(target, ...rest) {
      requireGrant(target);
      return queue.send(target, ...rest);
    },
    async sendAll(target, ...rest) {
      requireGrant(target);
      return queue.sendAll(target, ...rest);
    },
    async postpone(target, ...rest) {
      if (postponedQueue(trigger) !== target)
        throw new NotGranted(`${name} may not postpone messages of ${target}: only the reader of a FIFO queue can`);
      return queue.postpone(target, ...rest);
    },
  };
}

export function withBusGrants(bus: Bus, name: string, { publishes }: Pick<HostedFunction, 'publishes'>): Bus {
  return {
    async publish(entries) {
      if (!publishes) {
        throw new NotGranted(`${name} may not publish: set publishes for ${name} in infra/functions.ts`);
      }
      return bus.publish(entries);
    },
  };
}

/** In the cloud, clients that a function may not use are not linked. */
export function withCallGrants(
  { webhookClient, egress }: { webhookClient: WebhookClient; egress: Egress },
  name: string,
  { calls = [] }: Pick<HostedFunction, 'calls'>,
): { webhookClient: WebhookClient; egress: Egress } {
  const requireGrant = (outboundTarget: OutboundTarget) => {
    if (!calls.includes(outboundTarget))
      throw new NotGranted(
        `${name} may not call ${outboundTarget}: add it to the calls of ${name} in infra/functions.ts`,
      );
  };
  const client = ({ send }: HttpClient): HttpClient => ({
    async send(request) {
      requireGrant('providers');
      return send(request);
    },
  });
  return {
    webhookClient: {
      async post(webhookRequest) {
        requireGrant('webhooks');
        return webhookClient.post(webhookRequest);
      },
    },
    egress: {
      guarded: client(egress.guarded),
      providers: client(egress.providers),
      forOrigins: (origins) => client(egress.forOrigins(origins)),
      sandbox: client(egress.sandbox),
    },
  };
}

/** Like a missing grant in the cloud, where the client is not even linked. */
export function withMailGrants(mail: Mail, name: string, { mails }: Pick<HostedFunction, 'mails'>): Mail {
  return {
    async send(message) {
      if (!mails) throw new NotGranted(`${name} may not send mail: set mails for ${name} in infra/functions.ts`);
      return mail.send(message);
    },
  };
}

export function withProviderGrants(
  { vault, providerSettings }: { vault: Vault; providerSettings: ProviderSettings },
  name: string,
  { providerSecrets = [] }: Pick<HostedFunction, 'providerSecrets'>,
): { vault: Vault; providerSettings: ProviderSettings } {
  const requireGrant = (...sufficient: ProviderSecret[]) => {
    if (!sufficient.some((secret) => providerSecrets.includes(secret)))
      throw new NotGranted(
        `${name} may not use the ${sufficient[0]} of providers: add it to the providerSecrets of ${name} in infra/functions.ts`,
      );
  };
  return {
    vault: {
      async seal(...args) {
        requireGrant('new_tokens', 'tokens');
        return vault.seal(...args);
      },
      async open(...args) {
        requireGrant('tokens');
        return vault.open(...args);
      },
    },
    providerSettings: {
      async get(provider) {
        requireGrant('credentials');
        return providerSettings.get(provider);
      },
    },
  };
}

// Holds a function to what the map grants it, so that a missing grant fails on a laptop and not first in the cloud.
import type {
  Bus,
  Courier,
  Egress,
  HttpClient,
  Mail,
  ProviderSettings,
  Queue,
  Table,
  Vault,
  Write,
} from '../../shared/platform/ports.ts';
import { type Outside, postponedQueue, type TableAction, type VendorSecret } from '../function-spec.ts';
import type { HostedFunction } from './function-runner.ts';

export class NotGranted extends Error {}

const actionOf: Record<Write['kind'], TableAction> = {
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  check: 'ConditionCheckItem',
};

export function grantedTable(table: Table, name: string, granted: readonly TableAction[]): Table {
  const demand = (...actions: TableAction[]) => {
    for (const action of actions) {
      if (!granted.includes(action)) {
        throw new NotGranted(`${name} may not ${action}: add it to the table grants of ${name} in infra/functions.ts`);
      }
    }
  };
  return {
    async get(...args) {
      demand('GetItem');
      return table.get(...args);
    },
    async batchGet(...args) {
      demand('BatchGetItem');
      return table.batchGet(...args);
    },
    async query(query) {
      demand('Query');
      return table.query(query);
    },
    async *queryAll(query) {
      demand('Query');
      yield* table.queryAll(query);
    },
    async write(write) {
      demand(actionOf[write.kind]);
      return table.write(write);
    },
    async transact(writes) {
      demand(...writes.map(({ kind }) => actionOf[kind]));
      return table.transact(writes);
    },
    async batchWrite(writes) {
      demand('BatchWriteItem');
      return table.batchWrite(writes);
    },
  };
}

export function grantedQueue(
  queue: Queue,
  name: string,
  { sends, trigger }: Pick<HostedFunction, 'sends' | 'trigger'>,
): Queue {
  const demand = (target: string) => {
    if (!sends.includes(target)) {
      throw new NotGranted(`${name} may not send to ${target}: add it to the sends of ${name} in infra/functions.ts`);
    }
  };
  return {
    async send(target, ...rest) {
      demand(target);
      return queue.send(target, ...rest);
    },
    async sendAll(target, ...rest) {
      demand(target);
      return queue.sendAll(target, ...rest);
    },
    async postpone(target, ...rest) {
      if (postponedQueue(trigger) !== target)
        throw new NotGranted(
          `${name} may not postpone messages of ${target}: that is for its reader, if it is ordered`,
        );
      return queue.postpone(target, ...rest);
    },
  };
}

export function grantedBus(bus: Bus, name: string, { publishes }: Pick<HostedFunction, 'publishes'>): Bus {
  return {
    async publish(entries) {
      if (!publishes) {
        throw new NotGranted(`${name} may not publish: set publishes for ${name} in infra/functions.ts`);
      }
      return bus.publish(entries);
    },
  };
}

/** The cloud does not link what a function is not to call. */
export function grantedCalls(
  { courier, egress }: { courier: Courier; egress: Egress },
  name: string,
  { calls = [] }: Pick<HostedFunction, 'calls'>,
): { courier: Courier; egress: Egress } {
  const demand = (outside: Outside) => {
    if (!calls.includes(outside))
      throw new NotGranted(`${name} may not call ${outside}: add it to the calls of ${name} in infra/functions.ts`);
  };
  const client = ({ send }: HttpClient): HttpClient => ({
    async send(request) {
      demand('providers');
      return send(request);
    },
  });
  return {
    courier: {
      async post(letter) {
        demand('webhooks');
        return courier.post(letter);
      },
    },
    egress: {
      guarded: client(egress.guarded),
      providers: client(egress.providers),
      named: (origins) => client(egress.named(origins)),
      sandbox: client(egress.sandbox),
    },
  };
}

/** As without a grant in the cloud, where the client is not even linked. */
export function grantedMail(mail: Mail, name: string, { mails }: Pick<HostedFunction, 'mails'>): Mail {
  return {
    async send(message) {
      if (!mails) throw new NotGranted(`${name} may not mail: set mails for ${name} in infra/functions.ts`);
      return mail.send(message);
    },
  };
}

export function grantedVendors(
  { vault, providerSettings }: { vault: Vault; providerSettings: ProviderSettings },
  name: string,
  { vendors = [] }: Pick<HostedFunction, 'vendors'>,
): { vault: Vault; providerSettings: ProviderSettings } {
  const demand = (...enough: VendorSecret[]) => {
    if (!enough.some((secret) => vendors.includes(secret)))
      throw new NotGranted(
        `${name} may not have the ${enough[0]} of vendors: add it to the vendors of ${name} in infra/functions.ts`,
      );
  };
  return {
    vault: {
      async seal(...args) {
        demand('new_tokens', 'tokens');
        return vault.seal(...args);
      },
      async open(...args) {
        demand('tokens');
        return vault.open(...args);
      },
    },
    providerSettings: {
      async of(provider) {
        demand('credentials');
        return providerSettings.of(provider);
      },
    },
  };
}

// Reads what every source file imports, and says which imports the architecture does not allow.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  from: string;
  /** A path of the repository, or a package's name. */
  to: string;
  typeOnly: boolean;
}

export const rooms = ['functions', 'shared', 'infra'] as const;

export function sourceFiles(root: string): string[] {
  return rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name).replaceAll('\\', '/')),
  );
}

const statement = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;

export function importsIn(from: string, text: string): Import[] {
  const resolve = (name: string) => (name.startsWith('.') ? normalize(join(dirname(from), name)) : name);
  return [
    ...[...text.matchAll(statement)].map(([, type, name = '']) => ({
      from,
      to: resolve(name),
      typeOnly: type !== undefined,
    })),
    ...[...text.matchAll(dynamic)].map(([, name = '']) => ({ from, to: resolve(name), typeOnly: false })),
  ];
}

export const readImports = (root: string): Import[] =>
  sourceFiles(root).flatMap((file) => importsIn(file, readFileSync(join(root, file), 'utf8')));

/** The floors of the house from the ground up; a file imports from its own floor or from below. */
const floors: readonly (readonly [name: string, match: RegExp])[] = [
  ['model', /^shared\/model\//],
  ['ports', /^shared\/engine\/(ports|keyring|provider-settings|egress\/(address|target))\.ts$/],
  ['store and providers', /^shared\/(store|providers)\//],
  ['domain', /^shared\/domain\//],
  ['reads and sandbox', /^shared\/(reads|sandbox)\//],
  ['presenters', /^shared\/presenters\//],
  ['http', /^shared\/http\//],
  ['engine adapters', /^shared\/engine\/(aws|egress)\//],
  ['runtime', /^shared\/runtime\//],
  ['functions', /^functions\//],
  ['infra', /^infra\//],
];
export const floorOf = (path: string): number => floors.findIndex(([, match]) => match.test(path));

const floorName = (path: string): string | undefined => floors[floorOf(path)]?.[0];

interface Rule {
  says: string;
  breaks(edge: Import): boolean;
}

const group = (path: string): string | undefined => /^functions\/(?:api|workers)\/[^/]+(?=\/)/.exec(path)?.[0];
const isLocal = (edge: Import): boolean => floorOf(edge.to) >= 0;

export const rules: readonly Rule[] = [
  { says: 'nothing imports from a floor above its own', breaks: (e) => isLocal(e) && floorOf(e.to) > floorOf(e.from) },
  {
    says: 'only the runtime and infra import the engine adapters',
    breaks: (e) =>
      floorName(e.to) === 'engine adapters' && !/^(shared\/runtime\/|shared\/engine\/|infra\/)/.test(e.from),
  },
  {
    says: 'only handlers and infra import the runtime',
    breaks: (e) =>
      e.to.startsWith('shared/runtime/') && !/^(shared\/runtime\/|infra\/|functions\/.*\/handler\.ts$)/.test(e.from),
  },
  {
    says: 'the engine adapters import only ports and the model',
    breaks: (e) => e.from.startsWith('shared/engine/') && isLocal(e) && !/^shared\/(engine\/|model\/)/.test(e.to),
  },
  {
    says: 'endpoint groups and workers never import each other',
    breaks: (e) => {
      const [mine, theirs] = [group(e.from), group(e.to)];
      return mine !== undefined && theirs !== undefined && mine !== theirs;
    },
  },
  {
    says: 'the contract imports only routes',
    breaks: (e) =>
      e.from === 'functions/api/reference/contract.ts' && e.to.startsWith('functions/') && !e.to.endsWith('/routes.ts'),
  },
  {
    says: 'the cloud imports the map, the keys and the names of the model only',
    breaks: (e) =>
      e.from.startsWith('infra/cloud/') &&
      isLocal(e) &&
      !/^(infra\/cloud\/|infra\/build\/|infra\/(functions|function-spec)\.ts$|shared\/store\/(keys|due)\.ts$|shared\/model\/)/.test(
        e.to,
      ),
  },
  {
    says: 'the model knows zod and nothing else',
    breaks: (e) => e.from.startsWith('shared/model/') && !isLocal(e) && e.to !== 'zod',
  },
  {
    says: 'the domain and what shows it know no AWS, no HTTP and no process',
    breaks: (e) =>
      /^shared\/(domain|reads|sandbox|presenters)\//.test(e.from) &&
      !isLocal(e) &&
      !['zod', 'jose', 'node:crypto', 'node:zlib'].includes(e.to),
  },
  {
    says: 'the built-in vendor, whose bundle is a file of its own, is handed its ledger',
    breaks: (e) =>
      e.from.startsWith('shared/sandbox/cloud/') &&
      e.from !== 'shared/sandbox/provider-server/open-cloud.ts' &&
      !e.typeOnly &&
      e.to.startsWith('shared/store/'),
  },
  {
    says: 'a maker in the sandbox shares no code with its adapter: a mistake in both would hide',
    breaks: (e) => e.from.startsWith('shared/sandbox/cloud/makers/') && /^shared\/providers\/[^/]+\//.test(e.to),
  },
  {
    says: 'reads know no shape of the wire',
    breaks: (e) =>
      e.from.startsWith('shared/reads/') &&
      /^shared\/model\/(form-1\/|(daily|json-text|offset-page|page|read-parameters|scores|sleep|source|workout)\.ts$)/.test(
        e.to,
      ),
  },
  {
    says: 'hono stays in the http kit',
    breaks: (e) => /^(@hono\/|hono(\/|$))/.test(e.to) && !/^(shared\/http\/|functions\/.*\/routes\.ts$)/.test(e.from),
  },
  {
    says: 'routes take nothing from hono but what routes are made with',
    breaks: (e) => e.from.endsWith('/routes.ts') && e.to.startsWith('hono'),
  },
  { says: 'the product imports no test', breaks: (e) => e.to.startsWith('test/') },
];

export const violations = (imports: Import[]): string[] =>
  rules.flatMap((rule) => imports.filter(rule.breaks).map((edge) => `${rule.says}: ${edge.from} imports ${edge.to}`));

/** Circles, type imports included. */
export function circles(imports: Import[]): string[][] {
  const next = Map.groupBy(imports.filter(isLocal), ({ from }) => from);
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

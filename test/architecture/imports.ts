// Reads the imports of every source file and finds those that the architecture does not allow.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  from: string;
  /** A path in the repository, or a package name. */
  to: string;
  typeOnly: boolean;
}

export const topFolders = ['functions', 'shared', 'infra'] as const;

/** Written by a program, and compared with its output by a test (`test/clients`). */
const isGenerated = (file: string): boolean => file.startsWith('functions/api/console/web/api/generated/');

export function sourceFiles(root: string): string[] {
  return topFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((file) => !isGenerated(file)),
  );
}

const staticImport = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const dynamicImport = /\bimport\(\s*'([^']+)'\s*\)/g;

export function parseImports(from: string, text: string): Import[] {
  const resolve = (name: string) => (name.startsWith('.') ? normalize(join(dirname(from), name)) : name);
  return [
    ...[...text.matchAll(staticImport)].map(([, type, name = '']) => ({
      from,
      to: resolve(name),
      typeOnly: type !== undefined,
    })),
    ...[...text.matchAll(dynamicImport)].map(([, name = '']) => ({ from, to: resolve(name), typeOnly: false })),
  ];
}

export const readImports = (root: string): Import[] =>
  sourceFiles(root).flatMap((file) => parseImports(file, readFileSync(join(root, file), 'utf8')));

/** The rooms that every room further down the table may import. */
const ground = ['platform', 'catalog', 'system'] as const;

/**
 * The rooms of `shared/`, lowest layer first, and the rooms that each may import. A room
 * imports only rooms above it in this table.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  catalog: ['platform'],
  system: ['platform', 'catalog'],
  events: ground,
  audit: ['platform', 'system'],
  http: ['platform', 'system', 'audit'],
  measurements: ground,
  providers: ['platform', 'catalog', 'measurements'],
  scores: ['platform', 'catalog', 'measurements'],
  users: [...ground, 'events'],
  webhooks: ['platform', 'system', 'events'],
  accounts: [...ground, 'events', 'users'],
  consolidation: [...ground, 'measurements', 'users'],
  pipeline: [...ground, 'events', 'measurements', 'providers', 'scores', 'users', 'accounts', 'consolidation'],
  reads: [...ground, 'measurements', 'scores', 'users', 'consolidation'],
  mobile: [...ground, 'measurements', 'providers', 'users', 'accounts', 'pipeline'],
  connections: [...ground, 'events', 'providers', 'users', 'accounts', 'pipeline', 'mobile'],
  team: ['platform', 'system', 'events', 'users', 'accounts', 'connections'],
  console: ['platform', 'system', 'audit', 'accounts'],
  credentials: ['platform', 'system', 'audit', 'webhooks', 'accounts', 'mobile', 'console'],
  erasure: ['platform', 'system', 'events', 'users', 'team', 'connections'],
  overview: [...ground, 'events', 'users', 'accounts', 'pipeline', 'connections', 'webhooks'],
  sandbox: [...ground, 'measurements', 'providers', 'scores', 'users', 'pipeline', 'connections'],
};

export const roomOf = (path: string): string | undefined => /^shared\/([^/]+)\//.exec(path)?.[1];

interface ImportRule {
  description: string;
  isBrokenBy(edge: Import): boolean;
}

/** Returns the endpoint group or worker that a file belongs to. */
const groupOf = (path: string): string | undefined =>
  /^functions\/api\/[^/]+(?=\/)/.exec(path)?.[0] ?? /^functions\/workers\/[^/]+\.ts$/.exec(path)?.[0];
/** Folders of `functions/api` that are no group. */
const sharedByGroups: ReadonlySet<string> = new Set(['functions/api/callers', 'functions/api/docs-kit']);
/** The scripts of the documentation pages. A function embeds one by importing it with `?browser`. */
const isBrowserScript = (path: string): boolean => /^functions\/api\/[^/]+\/browser\/.*\.ts$/.test(path);
/** The server also uses the schema of the search index, and the words that the index leaves out. */
const runsOnTheServer: ReadonlySet<string> = new Set([
  'functions/api/reference/browser/search-entry.ts',
  'functions/api/reference/browser/common-words.ts',
]);
const isGeneratedType = ({ from, to, typeOnly }: Import): boolean =>
  isBrowserScript(from) && isGenerated(to) && typeOnly;
const isLocal = ({ to }: Import): boolean => /^(functions|shared|infra|test)\//.test(to);
const isEntry = (path: string): boolean => /^functions\/(api\/[^/]+\/app|workers\/[^/]+)\.ts$/.test(path);
const isRoutes = (path: string): boolean => /^functions\/api\/[^/]+\/(form-1-)?routes\.ts$/.test(path);
/**
 * Files that access the network or the AWS SDK. Every room may import the address rules of
 * `egress`.
 */
const isAdapter = (path: string): boolean =>
  /^shared\/platform\/(aws|egress)\//.test(path) && !/\/egress\/(address|target)\.ts$/.test(path);
/** A read, as opposed to the two forms that it is rendered in. */
const isRead = (path: string): boolean =>
  path.startsWith('shared/reads/') && !/\/form-[12](-schema)?\.ts$/.test(path) && !isRendering(path);
/** Helpers for rendering the forms. */
const isRendering = (path: string): boolean =>
  /^shared\/reads\/(kit\/(requested-range|present-value|requested-ids|requested-metrics|source|read-parameters)|daily\/(column-text|value-source)|scores\/(score-fields|score-history|example-scores)|sessions\/(session-fields|requested-sessions)|sleep\/stage-limit|explanations\/sentences)\.ts$/.test(
    path,
  );

/** What the routes and the console's pages must say alike. These files import nothing that runs. */
const sharedByPages = new Set([
  'shared/system/role-rights.ts',
  'shared/audit/act-effects.ts',
  'shared/platform/display-line.ts',
]);

/** The folders of the console's pages, lowest first. `shell` stands for the files outside of them. */
export const consoleFolders = ['address', 'api', 'words', 'state', 'parts', 'charts', 'pages', 'shell'];

export function consoleFolderOf(path: string): string | undefined {
  const [, folder, rest] = /^functions\/api\/console\/web\/([^/]+)(\/)?/.exec(path) ?? [];
  return rest === undefined && folder !== undefined ? 'shell' : folder;
}

export const rules: readonly ImportRule[] = [
  {
    description: 'a room imports only the rooms that the table allows',
    isBrokenBy: (e) => {
      const [from, to] = [roomOf(e.from), roomOf(e.to)];
      return from !== undefined && to !== undefined && from !== to && !rooms[from]?.includes(to);
    },
  },
  {
    description: 'rooms of shared/ import nothing from functions, infra or tests',
    isBrokenBy: (e) => roomOf(e.from) !== undefined && /^(functions|infra|test)\//.test(e.to),
  },
  {
    description: 'functions import nothing from infra or tests',
    isBrokenBy: (e) => e.from.startsWith('functions/') && /^(infra|test)\//.test(e.to),
  },
  {
    description: 'infra imports nothing from tests',
    isBrokenBy: (e) => e.from.startsWith('infra/') && e.to.startsWith('test/'),
  },
  {
    description: 'only the runtime and infra import the adapters',
    isBrokenBy: (e) => isAdapter(e.to) && !/^(functions\/runtime\/|shared\/platform\/|infra\/)/.test(e.from),
  },
  {
    description: 'only apps, workers and infra import the runtime',
    isBrokenBy: (e) =>
      e.to.startsWith('functions/runtime/') &&
      !e.from.startsWith('functions/runtime/') &&
      !e.from.startsWith('infra/') &&
      !isEntry(e.from),
  },
  {
    description: 'endpoint groups and workers never import each other',
    isBrokenBy: (e) => {
      const [from, to] = [groupOf(e.from), groupOf(e.to)];
      if (from === undefined || to === undefined || from === to) return false;
      return !sharedByGroups.has(to) && e.from !== 'functions/api/reference/contract.ts' && !isGeneratedType(e);
    },
  },
  {
    description:
      'pages for browsers import only each other, packages, the calendar, what they share with the routes and the styles of the documentation',
    isBrokenBy: (e) =>
      /^functions\/api\/[^/]+\/web\//.test(e.from) &&
      (isLocal(e) || e.to.startsWith('node:')) &&
      !/^functions\/api\/[^/]+\/web\//.test(e.to) &&
      !e.to.startsWith('shared/platform/time/') &&
      !sharedByPages.has(e.to) &&
      !/^functions\/api\/docs-kit\/assets\/[\w-]+\.css$/.test(e.to),
  },
  {
    description: 'only the pages for browsers import them; every script of a page may use the generated types',
    isBrokenBy: (e) =>
      /^functions\/api\/[^/]+\/web\//.test(e.to) &&
      !/^functions\/api\/[^/]+\/web\//.test(e.from) &&
      !isGeneratedType(e),
  },
  {
    description: 'functions embed the scripts of their pages, and import only the modules that the server runs too',
    isBrokenBy: (e) => isBrowserScript(e.to) && !isBrowserScript(e.from) && !runsOnTheServer.has(e.to),
  },
  {
    description: 'scripts of pages use nothing of Node',
    isBrokenBy: (e) => isBrowserScript(e.from) && e.to.startsWith('node:'),
  },
  {
    description: 'a folder of the console imports only folders that come before it in the order',
    isBrokenBy: (e) => {
      const [from, to] = [consoleFolderOf(e.from), consoleFolderOf(e.to)];
      return from !== undefined && to !== undefined && consoleFolders.indexOf(from) < consoleFolders.indexOf(to);
    },
  },
  {
    description: 'the contract imports only routes',
    isBrokenBy: (e) =>
      e.from === 'functions/api/reference/contract.ts' && e.to.startsWith('functions/') && !isRoutes(e.to),
  },
  {
    description: 'infra/cloud imports the function manifest, and only names and data tables from shared/',
    isBrokenBy: (e) =>
      e.from.startsWith('infra/cloud/') &&
      isLocal(e) &&
      !/^(infra\/cloud\/|infra\/build\/|infra\/(functions|function-spec|parse-origin)\.ts$|shared\/system\/(keys|table-schema|pending-kinds|jobs)\.ts$|shared\/(catalog|events\/event|team\/team|platform\/(setting-names|mail-address|log-codes)\.ts|connections\/connection)\b)/.test(
        e.to,
      ),
  },
  {
    description: 'the catalog imports no package except zod',
    isBrokenBy: (e) => roomOf(e.from) === 'catalog' && !isLocal(e) && e.to !== 'zod',
  },
  {
    description: 'only platform and http use AWS, HTTP or the process',
    isBrokenBy: (e) =>
      roomOf(e.from) !== undefined &&
      !['platform', 'http'].includes(roomOf(e.from) ?? '') &&
      !isLocal(e) &&
      !['zod', 'jose', 'node:crypto', 'node:util', 'node:zlib'].includes(e.to),
  },
  {
    description: 'simulated providers receive their rows as arguments, because they are bundled as a separate file',
    isBrokenBy: (e) =>
      /^shared\/sandbox\/(provider-server|simulated-providers)\//.test(e.from) &&
      !/\/(open-built-in-provider|sandbox-grant-rows)\.ts$/.test(e.from) &&
      !e.typeOnly &&
      /-rows\.ts$|^shared\/system\/(store|keys)\.ts$/.test(e.to),
  },
  {
    description:
      'a simulated provider shares no code with its adapter, because a mistake in shared code would stay hidden',
    isBrokenBy: (e) =>
      e.from.startsWith('shared/sandbox/simulated-providers/') && /^shared\/providers\/(?!kit\/)[^/]+\//.test(e.to),
  },
  {
    description: 'a read does not depend on a form of the contract',
    isBrokenBy: (e) => isRead(e.from) && (/\/form-[12](-schema)?\.ts$/.test(e.to) || isRendering(e.to)),
  },
  {
    description: 'only the http room and routes import hono; HTML templates use hono/html',
    isBrokenBy: (e) =>
      /^(@hono\/|hono(\/|$))/.test(e.to) &&
      !e.from.startsWith('shared/http/') &&
      !isRoutes(e.from) &&
      !(e.from === 'shared/platform/markup.ts' && e.to === 'hono/html'),
  },
  {
    description: 'routes import from hono only what defines routes',
    isBrokenBy: (e) => isRoutes(e.from) && e.to.startsWith('hono'),
  },
];

export const findViolations = (imports: Import[]): string[] =>
  rules.flatMap((rule) =>
    imports.filter(rule.isBrokenBy).map((edge) => `${rule.description}: ${edge.from} imports ${edge.to}`),
  );

/** Import cycles between files, type imports included. */
export const findCycles = (imports: readonly Import[]): string[][] =>
  circlesIn(imports.filter(isLocal).map(({ from, to }) => [from, to]));

/**
 * Import cycles between folders, type imports included. A folder consists of the files directly in
 * it.
 */
export const folderCircles = (imports: readonly Import[]): string[][] =>
  circlesIn(
    imports
      .filter(isLocal)
      .map(({ from, to }) => [dirname(from), dirname(to)] as const)
      .filter(([from, to]) => from !== to),
  );

function circlesIn(arrows: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = Map.groupBy(arrows, ([from]) => from);
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) found.push([...path.slice(at), node]);
    if (at >= 0 || done.has(node)) return;
    for (const to of new Set(next.get(node)?.map(([, to]) => to))) visit(to, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return found;
}

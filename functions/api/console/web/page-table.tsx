// The pages of the console by their address. A page is a module of its own, which is loaded when it
// is opened first.
import type { ComponentType } from 'preact';

export type PageProps = Readonly<Record<string, string>>;

export interface PageEntry {
  /** Below `/console`, with parameters in braces. */
  path: string;
  load: () => Promise<ComponentType<PageProps>>;
}

export const pageTable: readonly PageEntry[] = [
  { path: '/', load: async () => (await import('./pages/overview-page.tsx')).OverviewPage },
  { path: '/people', load: async () => (await import('./pages/people-page.tsx')).PeoplePage },
  { path: '/people/{id}', load: async () => (await import('./pages/person-page.tsx')).PersonPage },
  { path: '/webhooks', load: async () => (await import('./pages/webhooks-page.tsx')).WebhooksPage },
  { path: '/webhooks/{id}', load: async () => (await import('./pages/webhook-page.tsx')).WebhookPage },
  { path: '/events', load: async () => (await import('./pages/events-page.tsx')).EventsPage },
  { path: '/providers', load: async () => (await import('./pages/providers-page.tsx')).ProvidersPage },
  { path: '/sandbox', load: async () => (await import('./pages/sandbox-page.tsx')).SandboxPage },
  { path: '/settings', load: async () => (await import('./pages/settings-page.tsx')).SettingsPage },
];

/** The pages in the navigation, in its order. */
export const navigationPages = [
  { id: 'overview', path: '/' },
  { id: 'people', path: '/people' },
  { id: 'webhooks', path: '/webhooks' },
  { id: 'events', path: '/events' },
  { id: 'providers', path: '/providers' },
  { id: 'sandbox', path: '/sandbox' },
  { id: 'settings', path: '/settings' },
] as const;

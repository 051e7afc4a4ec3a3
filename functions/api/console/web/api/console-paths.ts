// Written by hand until the console's routes have a document of their own (/openapi.console.json):
// then this file is replaced by the generated one, as `generated/v1.d.ts` is.

interface Json<Data> {
  content: { 'application/json': Data };
  headers: Record<string, unknown>;
}
interface Nothing {
  content?: never;
  headers: Record<string, unknown>;
}
interface NoParameters {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}
interface Get<Data, Query = never> {
  get: {
    parameters: Omit<NoParameters, 'query'> & { query?: Query };
    responses: { 200: Json<Data> };
  };
}
interface Post<Body, Status extends number, Data = undefined> {
  post: {
    parameters: NoParameters;
    requestBody: { content: { 'application/json': Body } };
    responses: Record<Status, Data extends undefined ? Nothing : Json<Data>>;
  };
}

export type Role = 'owner' | 'developer' | 'support';

export interface Me {
  colleague: { id: string; email: string; name: string | null; role: Role };
  account: { id: string; name: string; form: 1 | 2 };
  environments: ('live' | 'sandbox')[];
  passkeys: { available: boolean; reason: string | null; count: number };
  mail: boolean;
  deployment: 'local' | 'aws';
  recent_sign_in_until: string | null;
  session: { id: string; created_at: string; expires_at: string };
}

export interface FoundPerson {
  id: string;
  external_ref: string | null;
}

export interface paths {
  '/console/api/me': Get<Me>;
  '/console/api/search': Get<{ data: FoundPerson[] }, { q: string }>;
  '/console/api/sign-in/links': Post<{ email: string }, 202>;
  '/console/api/sign-in/sessions': Post<{ secret: string }, 201, Me>;
  '/console/api/sign-in/passkeys/options': Post<Record<string, never>, 200, PublicKeyCredentialRequestOptionsJSON>;
  '/console/api/sign-in/passkeys': Post<{ response: unknown }, 201, Me>;
  '/console/api/session': { delete: { parameters: NoParameters; responses: { 204: Nothing } } };
}

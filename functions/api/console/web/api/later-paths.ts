// Routes that the documents do not have yet, written by hand. A route is removed from this file as
// soon as the generated types have it; the file goes with the last one.

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

export interface LaterOwnPaths {
  '/console/api/sign-in/passkeys/options': {
    post: {
      parameters: NoParameters;
      requestBody: { content: { 'application/json': Record<string, never> } };
      responses: { 200: Json<PublicKeyCredentialRequestOptionsJSON> };
    };
  };
  '/console/api/sign-in/passkeys': {
    post: {
      parameters: NoParameters;
      requestBody: { content: { 'application/json': { response: unknown } } };
      responses: { 201: Nothing };
    };
  };
}

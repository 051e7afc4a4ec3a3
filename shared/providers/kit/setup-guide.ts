// The content of the page that tells a team how to set up a provider. `{base_url}` is replaced by
// the deployment's own URL.
export interface SetupGuide {
  /** Where a team registers. */
  portal: string;
  steps: readonly string[];
  /** What could not be confirmed, and how this service treats it. */
  unconfirmed: readonly string[];
}

// What the page that tells a team how to set a vendor up has to say. `{base_url}` stands for the deployment's own address.
export interface SetupGuide {
  /** Where a team registers. */
  portal: string;
  steps: readonly string[];
  /** What nobody could confirm, and how it is treated here. */
  unconfirmed: readonly string[];
}

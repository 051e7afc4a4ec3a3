// What goes wrong with vendors while no run of ours fails: the lines that say so, and from when on somebody is told.

/** Lines of a function's log that are counted, over all vendors and by provider. */
export interface Trouble {
  name: string;
  /** With `failures` only those of what has gone wrong so often in a row. */
  lines: readonly { says: string; failures?: number }[];
  /** Somebody is told from so many in a quarter of an hour on, if they are such a share of the function's runs. */
  atLeast: number;
  percent?: number;
  whatItMeans: string;
}

const byProvider = 'The metric of the same name says of which provider, the log says more.';

export const vendorTroubles: Partial<Record<string, readonly Trouble[]>> = {
  sync: [
    {
      name: 'VendorsAway',
      lines: [{ says: 'provider_unavailable', failures: 3 }],
      atLeast: 1,
      percent: 5,
      whatItMeans: `A vendor answers many people not at all, or with errors: what it measures comes late. ${byProvider}`,
    },
    {
      name: 'SyncsFailing',
      lines: [{ says: 'sync_failed', failures: 3 }],
      atLeast: 1,
      percent: 1,
      whatItMeans: `Syncs fail again and again for a reason that is ours, or that nobody expected. ${byProvider}`,
    },
    {
      name: 'ProvidersUnusable',
      lines: [
        { says: 'provider_credentials_refused' },
        { says: 'a provider with connected devices has no credentials' },
        { says: 'a provider is misconfigured' },
        { says: 'the secret of the providers cannot be read; what was good before serves on' },
        { says: 'a vendor could not be asked for pushes; its people are polled meanwhile', failures: 3 },
      ],
      atLeast: 1,
      whatItMeans: `A vendor does not take what this deployment has in the providers' secret, or tells it of nothing any more: its people's data stops or comes late until that is put right. ${byProvider}`,
    },
    {
      name: 'AnnouncedDataLost',
      lines: [{ says: 'announced_data_refused' }, { says: 'announced_data_too_large' }],
      atLeast: 5,
      percent: 1,
      whatItMeans: `A provider announced data and then did not give it out, or gave more than can be read at once: the workouts are there, and their heart rate may be missing. ${byProvider}`,
    },
    {
      name: 'ConsentsEnded',
      lines: [{ says: 'consent_ended' }],
      atLeast: 5,
      percent: 1,
      whatItMeans: `Many people are disconnected at once, because a vendor says that their consent has ended. ${byProvider}`,
    },
    {
      name: 'ConsentsDoubted',
      lines: [{ says: 'too_many_consents_ended' }],
      atLeast: 1,
      whatItMeans: `A vendor says of more people than usual that their consent has ended: it is not believed for now, and asked again every hour. Find out whether the vendor errs, or the table was restored to an earlier time; "disconnects_per_hour" in the provider's settings stops it altogether (0), or lets it through. ${byProvider}`,
    },
    {
      name: 'ConsentsNotGivenBack',
      lines: [{ says: 'revocation_given_up' }],
      atLeast: 1,
      whatItMeans: `A vendor did not take a consent back within a day after a disconnect or a deletion: it stays with the vendor until the person ends it there. ${byProvider}`,
    },
  ],
  connect: [
    {
      name: 'ConnectingImpossible',
      lines: [{ says: 'provider_credentials_refused' }, { says: 'a provider is misconfigured' }],
      atLeast: 1,
      whatItMeans: `People who want to connect a wearable are turned away, because of what this deployment knows of its vendor. ${byProvider}`,
    },
  ],
  push: [
    {
      name: 'PushesRefused',
      lines: [{ says: 'a push was refused' }],
      atLeast: 10,
      percent: 20,
      whatItMeans: `Pushes do not carry the signature or the address that a vendor was given: its secret may have changed, or somebody tries. ${byProvider}`,
    },
  ],
};

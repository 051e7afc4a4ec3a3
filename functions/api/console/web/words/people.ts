// The words of the list of people.

export const peopleWords = {
  people: {
    title: 'People',
    search: 'Find a person',
    searchNote: 'By the whole id, or by the beginning of your own reference. Newest people come first.',
    list: 'People, newest first',
    unnamed: 'Without a reference',
    noZone: 'no time zone yet',
    unshared: 'shares no data',
    synced: 'synced',
    neverSynced: 'never synced',
    created: 'created',
    empty: 'There are no people in this environment yet. A person is created by your server, or here for the sandbox.',
    nobody: 'Nobody has this id, and no reference begins with it.',
  },
};

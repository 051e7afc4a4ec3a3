// The words of the list of people.

export const peopleWords = {
  people: {
    title: 'People',
    search: 'Find a person',
    searchNote: 'Search by id, by the beginning of your reference, or by a member’s e-mail address.',
    list: 'People, newest first',
    unnamed: 'Without a reference',
    noZone: 'no time zone yet',
    unshared: 'shares no data',
    synced: 'synced',
    neverSynced: 'never synced',
    empty:
      'There are no people in this environment yet. Your server creates them with this request. The sandbox page creates fictional ones.',
    nobody: 'No person has this id or e-mail address, and no reference begins with it.',
  },
};

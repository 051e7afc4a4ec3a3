// The names of providers, which the API returns as ids.
const { providerNames } = JSON.parse(document.querySelector('main').dataset.texts);

/** A provider that this page does not know yet is shown by its id. */
export const getProviderName = (id) => providerNames[id] ?? id;

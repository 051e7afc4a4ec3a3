// Values that last until the tab is closed. If the browser blocks storage, they last until the page
// is.

export function readFromTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch (error) {
    console.warn(`The browser blocks storage, so ${key} is not remembered.`, error);
    return undefined;
  }
}

export function storeInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch (error) {
    console.warn(`The browser blocks storage, so ${key} lasts until this page is closed.`, error);
  }
}

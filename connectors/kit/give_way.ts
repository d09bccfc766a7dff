/** Lets whatever else the service has to do go first: for work that a source can make long. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** TODO replaced below */
export function isHintingRoute(_id: string): boolean {
  return false;
}

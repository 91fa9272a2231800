/** A URL that was chosen elsewhere on the page; each choice is an object of its own. */
export interface GivenUrl {
  readonly url: string;
}

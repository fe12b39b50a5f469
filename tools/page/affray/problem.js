/** The errors of a request: a refusal of the server, or a lost connection. */

/** A refusal of the server, as problem details (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {object} document
   * @param {number} [document.status]
   * @param {string} [document.title]
   * @param {string} [document.detail]
   * @param {string} [document.code] `unusable`, `out_of_date`, the code of a refusal …
   * @param {string} [document.rule] The clause that refuses.
   * @param {string} [document.source] The subject of the refusal, such as an id.
   * @param {string} [document.example] A line that would work in the place of refused words.
   * @param {string} [document.field] The wrong field of the request.
   * @param {number} [document.head] The present head, where another one was expected.
   * @param {string} [document.hash]
   */
  constructor(document) {
    super(document.detail || document.title || `the server answered ${document.status}`);
    this.name = "Problem";
    this.status = document.status ?? 0;
    this.title = document.title ?? "";
    this.detail = document.detail ?? "";
    this.code = document.code ?? "";
    this.rule = document.rule ?? "";
    this.source = document.source ?? "";
    this.example = document.example ?? "";
    this.field = document.field ?? "";
    this.head = document.head;
    this.hash = document.hash;
  }

  /** Read it from an answer, whatever the answer looks like. @param {Response} response */
  static async of(response) {
    let said = {};
    try {
      said = JSON.parse(await response.text());
    } catch {
      // not from an Affray server: a proxy in between answered
    }
    return new Problem({ title: response.statusText, ...said, status: response.status });
  }
}

/** The server cannot be reached now. */
export class Unreachable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("the server cannot be reached", { cause });
    this.name = "Unreachable";
  }
}

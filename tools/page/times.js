// Moments as people read them: in the time zone of this browser.

/** Format a moment shortly, for a list: the time of day if it was today, else the date. */
export function when(time) {
  const today = new Date(time).toDateString() === new Date().toDateString();
  return formatted(time, today ? { timeStyle: "short" } : { dateStyle: "medium" });
}

/** Format a moment to the second, with its time zone. */
export const moment = (time) => formatted(time, { dateStyle: "medium", timeStyle: "long" });

/** Format a moment; nothing for a text that is none. */
function formatted(time, styles) {
  const then = new Date(time);
  return Number.isNaN(then.getTime()) ? "" : then.toLocaleString(document.documentElement.lang, styles);
}

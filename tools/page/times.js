// Times as text, in the time zone of the browser.

/** Format a time for a list: the time of day if it is today, else the date. */
export function when(time) {
  const today = new Date(time).toDateString() === new Date().toDateString();
  return formatted(time, today ? { timeStyle: "short" } : { dateStyle: "medium" });
}

/** Format a time to the second, with its time zone. */
export const moment = (time) => formatted(time, { dateStyle: "medium", timeStyle: "long" });

/** Format a time; an empty text if it is not a time. */
function formatted(time, styles) {
  const then = new Date(time);
  return Number.isNaN(then.getTime()) ? "" : then.toLocaleString(document.documentElement.lang, styles);
}

// What a browser can measure of how readable and how reachable a page is. Returns what falls short.
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const once = (known, key, make) => known.get(key) ?? known.set(key, make()).get(key);
  const [colours, grounds, shares] = [new Map(), new Map(), new Map()];
  const rgba = (colour) => once(colours, colour, () => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  });
  const over = ([r, g, b, a], [r2, g2, b2]) => [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a), 1];
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest(".unseen, .skip, [disabled], [aria-disabled=true]");
  const behind = (element) => {
    const board = element instanceof SVGElement && element.closest("svg.board");
    const shape = board && (element.closest(".token")?.querySelector(".body") ?? board.querySelector(".zone"));
    if (!shape) return ground(element);
    const { fill, fillOpacity } = getComputedStyle(shape);
    const [r, g, b, a] = rgba(fill);
    return over([r, g, b, a * Number(fillOpacity)], ground(board));
  };
  const ground = (element) => (element
    ? once(grounds, element, () => over(rgba(getComputedStyle(element).backgroundColor), ground(element.parentElement)))
    : [255, 255, 255, 1]);
  const opacity = (element) => (element
    ? once(shares, element, () => opacity(element.parentElement) * Number(getComputedStyle(element).opacity))
    : 1);
  const short = (element, text) => `${element.tagName.toLowerCase()}.${String(element.className.baseVal ?? element.className).replaceAll(" ", ".")} “${text.trim().slice(0, 40)}”`;

  const dull = [];
  const judge = (element, text, colour) => {
    const ground = behind(element);
    const [r, g, b, a] = rgba(colour);
    const found = contrast(over([r, g, b, a * opacity(element)], ground), ground);
    const { fontSize, fontWeight } = getComputedStyle(element);
    const [size, bold] = [parseFloat(fontSize), Number(fontWeight) >= 700];
    const due = !(element instanceof SVGElement) && (size >= 24 || (bold && size >= 18.66)) ? 3 : 4.5;
    if (found < due) dull.push(`${short(element, text)}: ${found.toFixed(2)} of ${due}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [text, element] = [walker.currentNode.data, walker.currentNode.parentElement];
    if (!text.trim() || !seen(element) || element.closest("option, title, noscript")) continue;
    const style = getComputedStyle(element);
    judge(element, text, element instanceof SVGElement ? style.fill : style.color);
  }
  for (const field of document.querySelectorAll("input, select, textarea")) {
    if (!seen(field)) continue;
    if (field.placeholder && !field.value) judge(field, field.placeholder, getComputedStyle(field, "::placeholder").color);
    else if (field.matches("select, textarea, [type=text], [type=number]")) judge(field, field.value, getComputedStyle(field).color);
  }

  const small = [];
  for (const one of document.querySelectorAll("button, a[href], input, select, textarea, summary, [role=button]")) {
    if (!seen(one) || one.matches("[type=file], .token")) continue; // whom a token stands for can be chosen by a button, too
    const boxes = [one, one.closest("label"), one.id && document.querySelector(`label[for="${CSS.escape(one.id)}"]`)].filter(Boolean);
    const box = boxes.map((each) => each.getBoundingClientRect()).sort((a, b) => b.width * b.height - a.width * a.height)[0];
    if (box.width < 23.5 || box.height < 23.5) small.push(`${short(one, one.textContent)}: ${box.width.toFixed(1)} × ${box.height.toFixed(1)}`);
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const aslant = [...document.querySelectorAll("body *")].filter((one) => !one.matches(".apart-in, .actors, textarea, input")
    && ["auto", "scroll"].includes(getComputedStyle(one).overflowX) && seen(one) && one.scrollWidth > one.clientWidth + 1);
  const clips = (one) => ["hidden", "clip"].some((how) => [getComputedStyle(one).overflowX, getComputedStyle(one).overflowY].includes(how));
  const cut = [...document.querySelectorAll("body *")].filter((one) => clips(one) && !(one instanceof SVGElement)
    && !one.matches(".unseen, .stage, .map, .meter") && seen(one) && one.textContent.trim()
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2));
  return { cut: cut.map((one) => short(one, one.textContent)), dull: [...new Set(dull)], small: [...new Set(small)], wide: [...(wide > 0 ? [`${wide} px too wide`] : []), ...aslant.map((one) => short(one, "scrolls sideways"))] };
}

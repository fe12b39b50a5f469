// Pan and zoom of an SVG drawing, by drag, pinch, wheel and keys; it can be fitted again.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

const STEP = 1.4;
const MARGIN = 12;

/** How much larger the drawing must become before the buttons move. */
const STAYS = 1.15;

/** Let a drawing's inner part be panned and zoomed. */
export class PanZoom {
  /**
   * svg: the drawing, in pixels; inner: the group that moves; extent: [left, top, right, bottom] of the part that is
   * shown first, in the drawing's units; unit: pixels per unit, `fit` at most when fitted, `least` and `most` when
   * zoomed; over: buttons over the upper right corner of the drawing.
   */
  constructor(svg, inner, { extent, unit = { fit: 72, least: 6, most: 160 }, over = null }) {
    Object.assign(this, { svg, inner, extent, unit, over });
    this.moved = false;
    this.zoom = zoom().scaleExtent([unit.least, unit.most]).clickDistance(5)
      .filter((event) => !event.button && !event.target.closest("[data-drag]") && (!event.ctrlKey || event.type === "wheel"))
      .on("zoom", ({ transform, sourceEvent }) => {
        if (sourceEvent) this.moved = true;
        inner.setAttribute("transform", `translate(${transform.x} ${transform.y}) scale(${transform.k})`);
      });
    select(svg).call(this.zoom).on("dblclick.zoom", null);
    this.resized = new ResizeObserver(() => this.moved || this.refit());
    this.resized.observe(svg);
  }

  /** Fit the drawing. The buttons stand above it or beside it, where that leaves more room. */
  fit() {
    const { clientWidth: wide, clientHeight: high } = this.svg;
    const [left, top, right, bottom] = this.extent;
    if (!wide || !high) return;
    const strip = this.over ? Math.min(this.over.scrollWidth, this.over.offsetHeight) + MARGIN / 2 : 0;
    const scale = (w, h) => Math.min(this.unit.fit, (w - MARGIN) / (right - left), (h - MARGIN) / (bottom - top));
    const stays = this.frame ? STAYS : 1;
    const above = scale(wide, high - strip) * (this.over?.classList.contains("above") ? stays : 1 / stays) > scale(wide - strip, high);
    const [w, h] = above ? [wide, high - strip] : [wide - strip, high];
    const k = scale(w, h);
    this.over?.classList.toggle("above", above);
    this.moved = false;
    this.frame = [wide, high];
    this.to(zoomIdentity.translate(w / 2 - (k * (left + right)) / 2, high - h / 2 - (k * (top + bottom)) / 2).scale(k));
  }

  /** Fit the drawing again if its frame changed. */
  refit() {
    const { clientWidth: wide, clientHeight: high } = this.svg;
    const [wasWide, wasHigh] = this.frame ?? [0, 0];
    if (wide !== wasWide || high !== wasHigh) this.fit();
  }

  to(transform) {
    select(this.svg).call(this.zoom.transform, transform);
  }

  /** Zoom in or out by steps. */
  by(steps) {
    this.moved = true;
    select(this.svg).call(this.zoom.scaleBy, STEP ** steps);
  }

  /** Pan by shares of the visible part. */
  pan(x, y) {
    this.moved = true;
    const { k } = this.svg.__zoom;
    select(this.svg).call(this.zoom.translateBy, (-x * this.svg.clientWidth) / k, (-y * this.svg.clientHeight) / k);
  }

  close() {
    this.resized.disconnect();
    select(this.svg).on(".zoom", null);
  }
}

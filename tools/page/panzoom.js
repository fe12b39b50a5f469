// A drawing that can be moved under one's fingers: dragged, pinched, zoomed with the wheel, by keys, and fitted again.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

const STEP = 1.4;
const MARGIN = 12;

/** Let a drawing's inner part be panned and zoomed. */
export class PanZoom {
  /**
   * svg: the drawing, whose units are its pixels; inner: the part that moves; extent: [left, top, right, bottom] of what
   * is shown of it at first, in its own units; unit: how many pixels one of its units has at most where it is fitted, and least and most of what
   * one can zoom to.
   */
  constructor(svg, inner, { extent, unit = { fit: 72, least: 6, most: 160 } }) {
    Object.assign(this, { svg, inner, extent, unit });
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

  /** Show all of it, as large as it can be. */
  fit() {
    const { clientWidth: wide, clientHeight: high } = this.svg;
    const [left, top, right, bottom] = this.extent;
    if (!wide || !high) return;
    const k = Math.min(this.unit.fit, (wide - MARGIN) / (right - left), (high - MARGIN) / (bottom - top));
    this.moved = false;
    this.frame = [wide, high];
    this.to(zoomIdentity.translate(wide / 2 - (k * (left + right)) / 2, high / 2 - (k * (top + bottom)) / 2).scale(k));
  }

  /** Fit it again where its frame is another one; where only something came below it, the scale stays. */
  refit() {
    const { clientWidth: wide, clientHeight: high } = this.svg;
    const [wasWide, wasHigh] = this.frame ?? [0, 0];
    if (wide === wasWide && high < wasHigh * 1.25 && high > wasHigh * 0.88) return;
    this.fit();
  }

  to(transform) {
    select(this.svg).call(this.zoom.transform, transform);
  }

  /** Zoom in or out by steps. */
  by(steps) {
    this.moved = true;
    select(this.svg).call(this.zoom.scaleBy, STEP ** steps);
  }

  /** Pan by shares of what is seen. */
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

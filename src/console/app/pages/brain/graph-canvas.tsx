// The canvas with the graph: zooming, panning and choosing by mouse, finger and keyboard.
import { useEffect, useRef } from 'preact/hooks';
import {
  type Camera,
  type Colors,
  cameraFor,
  type Drawing,
  draw,
  linkAt,
  nodeAt,
} from './graph-drawing.js';

export interface GraphCanvasProps {
  readonly drawing: Drawing;
  readonly label: string;
  /** Moves the nodes for one frame; false if they rest. */
  readonly glide: () => boolean;
  /** Changes whenever the nodes may move again, or other ones are drawn. */
  readonly version: unknown;
  /** Changes when the camera is to show all nodes again. */
  readonly fitVersion: unknown;
  readonly onNode: (id: string) => void;
  readonly onLink: (id: string) => void;
  readonly onExpand: (id: string) => void;
}

const HEIGHT = 520;
const ZOOM_STEP = 1.25;
const PAN_STEP = 40;
/** A pointer that moved less has clicked. */
const CLICK_PIXELS = 4;
const REST_MS = 120;
export const LINK_COLORS = 8;

export function GraphCanvas(props: GraphCanvasProps) {
  const frame = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const control = useRef<CanvasControl>(undefined);
  useEffect(() => {
    const [parent, element] = [frame.current, canvas.current];
    if (parent === null || element === null) return;
    const created = new CanvasControl(parent, element, () => latest.current);
    control.current = created;
    return () => created.close();
  }, []);
  useEffect(() => control.current?.follow(), [props.fitVersion]);
  useEffect(() => control.current?.wake(), [props.version, props.drawing]);
  const zoom = (by: number) => () => control.current?.zoom(by);
  return (
    <div class="graph">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and zoomed by keyboard */}
      <section ref={frame} class="graph-frame" tabIndex={0} aria-label={props.label}>
        <canvas ref={canvas} height={HEIGHT} />
      </section>
      <div class="actions">
        <button type="button" onClick={zoom(ZOOM_STEP)}>
          Zoom in
        </button>
        <button type="button" onClick={zoom(1 / ZOOM_STEP)}>
          Zoom out
        </button>
        <button type="button" onClick={() => control.current?.follow()}>
          Show all
        </button>
      </div>
    </div>
  );
}

class CanvasControl {
  readonly #parent: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #props: () => GraphCanvasProps;
  readonly #sizes: ResizeObserver;
  readonly #abort = new AbortController();
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  /** The camera shows all nodes until the user moves it. */
  #isFollowing = true;
  #colors: Colors;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #moved = 0;

  constructor(parent: HTMLElement, canvas: HTMLCanvasElement, props: () => GraphCanvasProps) {
    this.#parent = parent;
    this.#canvas = canvas;
    this.#props = props;
    this.#colors = colorsOf(parent);
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(parent);
    const { signal } = this.#abort;
    matchMedia('(prefers-color-scheme: dark)').addEventListener(
      'change',
      () => {
        this.#colors = colorsOf(parent);
        this.wake();
      },
      { signal },
    );
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.#up(event), { signal });
    }
    canvas.addEventListener('dblclick', (event) => this.#doubleClick(event), { signal });
    parent.addEventListener('keydown', (event) => this.#key(event), { signal });
    this.#resize();
  }

  close(): void {
    this.#abort.abort();
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  /** Draws again, until the nodes rest. */
  wake(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  /** Draws what moves; once it has rested for a moment, as it is meant. */
  #draw(): void {
    this.#frame = 0;
    clearTimeout(this.#rest);
    const isGliding = this.#props().glide();
    this.#paint(true);
    if (isGliding) this.wake();
    else this.#rest = setTimeout(() => this.#paint(false), REST_MS);
  }

  #paint(isMoving: boolean): void {
    const { drawing } = this.#props();
    if (this.#isFollowing) this.#camera = cameraFor(drawing.nodes, this.#size);
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    draw(context, this.#size, this.#camera, drawing, this.#colors, isMoving);
  }

  follow(): void {
    this.#isFollowing = true;
    this.wake();
  }

  zoom(by: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#isFollowing = false;
    const { width, height } = this.#size;
    const camera = this.#camera;
    const scale = Math.min(20, Math.max(0.01, camera.scale * by));
    const share = 1 / camera.scale - 1 / scale;
    camera.x += (x - width / 2) * share;
    camera.y += (y - height / 2) * share;
    camera.scale = scale;
    this.wake();
  }

  get #size(): { readonly width: number; readonly height: number } {
    return { width: this.#parent.clientWidth, height: HEIGHT };
  }

  #resize(): void {
    const { width, height } = this.#size;
    // More pixels than two for one are not seen and cost time.
    const ratio = Math.min(2, devicePixelRatio);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.wake();
  }

  #point({ clientX, clientY }: MouseEvent): { x: number; y: number } {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.#point(event);
    this.zoom(Math.exp(-event.deltaY / 500), x, y);
  }

  #down(event: PointerEvent): void {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#point(event));
    if (this.#pointers.size === 1) this.#moved = 0;
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = this.#point(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (other === undefined) this.#pan(before.x - now.x, before.y - now.y);
    else {
      const distance = (point: { x: number; y: number }): number =>
        Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      this.zoom(distance(now) / distance(before), other.x, other.y);
    }
    this.#pointers.set(event.pointerId, now);
  }

  #up(event: PointerEvent): void {
    const isClick = event.type === 'pointerup' && this.#moved < CLICK_PIXELS;
    if (this.#pointers.delete(event.pointerId) && isClick) this.#click(event);
  }

  #pan(dx: number, dy: number): void {
    if (this.#moved < CLICK_PIXELS) return;
    this.#isFollowing = false;
    this.#camera.x += dx / this.#camera.scale;
    this.#camera.y += dy / this.#camera.scale;
    this.wake();
  }

  #click(event: PointerEvent): void {
    const { drawing, onNode, onLink } = this.#props();
    const { x, y } = this.#point(event);
    const node = nodeAt(drawing.nodes, this.#size, this.#camera, x, y);
    if (node !== undefined) {
      onNode(node.id);
      return;
    }
    const link = linkAt(drawing.links, this.#size, this.#camera, x, y);
    if (link !== undefined) onLink(link.id);
  }

  #doubleClick(event: MouseEvent): void {
    const { drawing, onExpand } = this.#props();
    const { x, y } = this.#point(event);
    const node = nodeAt(drawing.nodes, this.#size, this.#camera, x, y);
    if (node !== undefined) onExpand(node.id);
  }

  #key(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#step(-PAN_STEP, 0),
      ArrowRight: () => this.#step(PAN_STEP, 0),
      ArrowUp: () => this.#step(0, -PAN_STEP),
      ArrowDown: () => this.#step(0, PAN_STEP),
      '+': () => this.zoom(ZOOM_STEP),
      '-': () => this.zoom(1 / ZOOM_STEP),
      '0': () => this.follow(),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  }

  #step(dx: number, dy: number): void {
    this.#moved = CLICK_PIXELS;
    this.#pan(dx, dy);
  }
}

function colorsOf(element: HTMLElement): Colors {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    links: Array.from({ length: LINK_COLORS }, (_, at) => color(`--link-${at + 1}`)),
    node: color('--text-quiet'),
    missing: color('--line'),
    selected: color('--accent'),
    text: color('--text'),
    ground: color('--ground'),
  };
}

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { copyText } from "../components/stream/clipboard.ts";
import type { StreamEvent } from "../components/stream/event.ts";
import { type StreamFilter, writeFilter } from "../components/stream/filter.ts";
import { StreamModel } from "../components/stream/model.ts";
import { StreamDetail } from "../components/StreamDetail.tsx";
import { StreamEmpty, StreamGap } from "../components/StreamEmpty.tsx";
import { StreamFilters, type StreamSource } from "../components/StreamFilters.tsx";
import { StreamList } from "../components/StreamList.tsx";
import { StreamCounts, StreamStatus } from "../components/StreamStatus.tsx";

/** How long a filter is left to be typed before it is applied. */
const TYPING_MS = 120;

/** How long it is said that something was copied. */
const SAID_MS = 3000;

/** A workspace's events as they come. Its filter is kept in the page's address. */
export default function EventStream({ url, filter, sources }: {
  url: string;
  filter: StreamFilter;
  sources: readonly StreamSource[];
}): JSX.Element {
  const model = useMemo(() => new StreamModel(url, filter), []);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => model.start(), []);
  const close = () => {
    model.open.value = undefined;
    list.current?.focus();
  };
  return (
    <div class="flex flex-col gap-3">
      <Filter model={model} initial={filter} sources={sources} />
      <Bar model={model} />
      <div class="grid h-[calc(100dvh-19rem)] min-h-80 grid-cols-1 gap-3 has-[section]:lg:grid-cols-2">
        <div class="min-h-0 rounded-lg border border-line bg-raised">
          <List model={model} listRef={list} />
        </div>
        <Detail model={model} onClose={close} />
      </div>
    </div>
  );
}

// Each of these is rendered anew only when what it reads changes: most change seldom, the list with each frame.

function Filter({ model, initial, sources }: {
  model: StreamModel;
  initial: StreamFilter;
  sources: readonly StreamSource[];
}) {
  const filter = useSignal(initial);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const change = (next: StreamFilter) => {
    filter.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      model.filter(next);
      history.replaceState(history.state, "", location.pathname + writeFilter(next) + location.hash);
    }, TYPING_MS);
  };
  return <StreamFilters filter={filter.value} sources={sources} onChange={change} />;
}

function Bar({ model }: { model: StreamModel }) {
  return (
    <div class="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
      <StreamStatus connection={model.connection.value} paused={model.paused.value} />
      <Counts model={model} />
      <div class="ml-auto flex gap-2">
        <button type="button" class="button w-22 justify-center" onClick={() => model.togglePause()}>
          {model.paused.value ? "Resume" : "Pause"}
        </button>
        <button type="button" class="button" onClick={() => model.clear()}>Clear</button>
      </div>
      <StreamGap gap={model.gap.value} />
    </div>
  );
}

function Counts({ model }: { model: StreamModel }) {
  return <StreamCounts {...model.counts} matched={model.events.length} />;
}

function List({ model, listRef }: { model: StreamModel; listRef: RefObject<HTMLDivElement> }) {
  const { events } = model;
  const shows = events.length > 0;
  useLayoutEffect(() => shows ? measure(model, listRef.current) : undefined, [shows]);
  useLayoutEffect(() => {
    const { current } = listRef;
    const { scrollTop } = model.sight.value;
    if (current !== null && current.scrollTop !== scrollTop) current.scrollTop = scrollTop;
  });
  if (!shows) return <StreamEmpty filtered={model.counts.held > 0} />;
  const open = (event: StreamEvent) => {
    model.active.value = event;
    model.open.value = event;
  };
  return (
    <StreamList
      events={events}
      sight={model.sight.value}
      active={model.active.value}
      open={model.open.value}
      listRef={listRef}
      onScroll={(scrollTop) => model.look({ scrollTop })}
      onKey={(event) => model.press(event.key) && event.preventDefault()}
      onOpen={open}
    />
  );
}

/** Keeps the model told of the list's height and of that of its rows, which the styles set. */
function measure(model: StreamModel, list: HTMLDivElement | null): (() => void) | undefined {
  if (list === null) return undefined;
  const look = () => {
    const rowHeight = list.querySelector("[role=option]")?.getBoundingClientRect().height;
    model.look({ height: list.clientHeight, ...(rowHeight && { rowHeight }) });
  };
  const observer = new ResizeObserver(look);
  observer.observe(list);
  look();
  return () => observer.disconnect();
}

function Detail({ model, onClose }: { model: StreamModel; onClose: () => void }) {
  const event = model.open.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const said = useSignal("");
  useEffect(() => heading.current?.focus({ preventScroll: true }), [event]);
  useEffect(() => {
    const timer = setTimeout(() => said.value = "", SAID_MS);
    return () => clearTimeout(timer);
  }, [said.value]);
  if (event === undefined) return null;
  const copy = async (text: string, what: string) => {
    const copied = await copyText(text);
    said.value = copied ? `${what} was copied` : "The browser does not let us copy: select the text instead";
  };
  return <StreamDetail event={event} said={said.value} headingRef={heading} onCopy={copy} onClose={onClose} />;
}

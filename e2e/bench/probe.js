// Runs in every page that is measured, before the page's own scripts, and
// does nothing until it is asked.
(() => {
  const bench = (window.bench = {});

  // frames notes each animation frame and each long task until ended.
  bench.frames = () => {
    const at = [];
    const tasks = [];
    let on = true;
    const tick = (now) => {
      if (!on) return;
      at.push(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
    observer.observe({ entryTypes: ["longtask"] });
    bench.ended = () => {
      on = false;
      tasks.push(...observer.takeRecords().map((e) => e.duration));
      observer.disconnect();
      return { gaps: at.slice(1).map((t, i) => t - at[i]), tasks };
    };
    return true;
  };

  // clock is the page's time on the scale of the machine's, in milliseconds.
  const clock = () => performance.timeOrigin + performance.now();
  bench.clock = () => [Date.now(), clock()];

  // expect waits until test() holds after a mutation: when it did, and when
  // the frame that has it was handed over to be drawn.
  bench.expect = (test) => {
    bench.expected = new Promise((done) => {
      const observer = new MutationObserver(() => {
        if (!test()) return;
        observer.disconnect();
        const shown = clock();
        requestAnimationFrame(() => {
          const after = new MessageChannel();
          after.port1.onmessage = () => done({ shown, painted: clock() });
          after.port2.postMessage(0);
        });
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    return true;
  };

  // changes counts until told which tables' elements are mutated, what else
  // is, and how many components React renders.
  bench.changes = () => {
    const tables = {};
    const other = {};
    const add = (where, name) => (where[name] = (where[name] ?? 0) + 1);
    const observer = new MutationObserver((records) => {
      for (const r of records) {
        const element = r.target instanceof Element ? r.target : r.target.parentElement;
        const table = element?.closest("[data-table]")?.dataset.table;
        if (table) add(tables, table);
        else add(other, element?.closest("[data-testid]")?.dataset.testid ?? element?.nodeName ?? "");
      }
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    rendered = 0;
    bench.changed = () => {
      observer.disconnect();
      return { tables, other, rendered };
    };
    return true;
  };

  // React tells its development tools of each commit, in any build.
  let rendered = 0;
  const performedWork = 1;
  const count = (fiber, before) => {
    const isComponent = fiber.tag === 0 || fiber.tag === 11 || fiber.tag === 14 || fiber.tag === 15;
    if (isComponent && fiber.flags & performedWork) rendered++;
    if (before && fiber.child === before.child) return; // nothing below was looked at
    for (let child = fiber.child; child; child = child.sibling) if (!before || child !== child.alternate) count(child, child.alternate);
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: (_, root) => bench.changed && count(root.current, root.current.alternate),
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
  };
})();

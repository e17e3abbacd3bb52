// Runs in a copy of a report, after its own script, and leaves what it found in an attribute of the page.
(() => {
  const found = {};
  const all = (selector, of = document) => Array.from(of.querySelectorAll(selector));
  const shown = () => all('[data-measure]').filter((part) => part.offsetHeight > 0).map((part) => part.dataset.measure);
  const column = (table, index) => Array.from(table.tBodies[0].rows, (row) => row.cells[index].textContent.trim());

  found.first = shown();
  document.querySelector('input[value="auc"]').click();
  found.switched = shown();

  const table = document.getElementById('results');
  const head = table.tHead.rows[0].cells[3];
  found.before = column(table, 3);
  head.querySelector('button').click();
  found.up = column(table, 3);
  found.upSort = head.getAttribute('aria-sort');
  head.querySelector('button').click();
  found.down = column(table, 3);
  found.downSort = head.getAttribute('aria-sort');
  table.tHead.rows[0].cells[2].querySelector('button').click();
  found.ks = column(table, 2);
  found.sorted = all('#results [aria-sort]').length;
  found.said = document.getElementById('said').textContent;
  table.tHead.rows[0].cells[0].querySelector('button').click();
  found.methods = column(table, 0);
  found.keyboard = all('thead th').every((cell) => cell.firstElementChild.tagName === 'BUTTON' && cell.firstElementChild.tabIndex === 0);

  // What a screen reader has of plots, and whether anything is there twice.
  found.plots = all('svg.plot').length;
  found.named = all('svg.plot').filter((plot) => {
    const ids = plot.getAttribute('aria-labelledby').split(' ');
    return ids.every((id) => document.getElementById(id).textContent.length > 3);
  }).length;
  const ids = all('[id]').map((part) => part.id);
  found.twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  found.broken = all('a[href^="#"]').filter((link) => !document.getElementById(link.getAttribute('href').slice(1))).length;

  // What could have come from names.
  found.images = all('img').length;
  found.scripts = all('script').length;
  found.owned = document.documentElement.dataset.owned ?? null;
  found.handlers = all('*').filter((part) => part.getAttributeNames().some((name) => name.startsWith('on'))).length;
  found.loaded = performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('data:'));

  // How well colours stand out from what they are on.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = (name) => {
    canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    canvas.fillRect(0, 0, 1, 1);
    const parts = Array.from(canvas.getImageData(0, 0, 1, 1).data).slice(0, 3).map((part) => part / 255);
    const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  found.contrasts = {};
  for (const name of ['--ink', '--soft', '--accent', '--c0', '--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7']) {
    found.contrasts[name] = contrast(name, '--card');
  }
  found.contrasts['--ink on --warm'] = contrast('--ink', '--warm');
  found.contrasts['--soft on --page'] = contrast('--soft', '--page');
  found.dark = light('--card') < 0.2;

  // How wide the page is on a narrow screen: in a frame, as windows have a least width.
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 375px; height: 800px; border: 0';
  document.body.append(frame);
  const inside = frame.contentDocument;
  inside.open();
  inside.write(document.documentElement.outerHTML.replace(/<script[^]*?<\/script>/g, ''));
  inside.close();
  inside.querySelectorAll('details').forEach((part) => { part.open = true; });
  found.narrow = [frame.clientWidth, inside.documentElement.scrollWidth];
  frame.remove();

  document.documentElement.dataset.probe = JSON.stringify(found);
})();

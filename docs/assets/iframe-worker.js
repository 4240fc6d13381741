/* Questions are typed as sentences, and the search takes every word for the beginning of one: "a" would match "agreement". Words that
   say nothing are left out of a query, if others remain. */
const SAYS_NOTHING = new Set(
  "a am an and are as at be been by can come could did do does for from get had has have how i if in is it its may me my of on or our should so that the their them there this to was we were what when where which who why will with would you your".split(" "),
);

const meaningful = (message) => {
  if (typeof message?.data !== "string") return message;
  const words = message.data.split(/[\s?!,;:]+/).filter((word) => word && !SAYS_NOTHING.has(word.toLowerCase()));
  return words.length ? { ...message, data: words.join(" ") } : message;
};

/* The search runs in a worker, and browsers start none for pages that are opened from disk. There, a hidden frame does its work:
   it loads the same script, and messages go to and fro as events. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.waiting = [];
      const place = new URL(address, document.baseURI).href;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      document.body.append(frame);
      this.frame = frame;
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.answer(data);
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => this.load(new URL(script, place).href)), Promise.resolve());
      this.load(place).then(() => {
        this.ready = true;
        this.waiting.forEach((data) => this.ask(data));
      });
    }

    load(place) {
      return new Promise((done, failed) => {
        const page = this.frame.contentDocument;
        const script = page.createElement("script");
        script.src = place;
        script.onload = done;
        script.onerror = failed;
        page.body.append(script);
      });
    }

    ask(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    postMessage(message) {
      const data = meaningful(message);
      if (this.ready) this.ask(data);
      else this.waiting.push(data);
    }

    answer(data) {
      const event = new MessageEvent("message", { data });
      if (this.onmessage) this.onmessage(event);
      this.dispatchEvent(event);
    }

    terminate() {
      this.frame.remove();
    }
  };
} else {
  window.Worker = class extends Worker {
    postMessage(message, ...others) {
      super.postMessage(meaningful(message), ...others);
    }
  };
}

/* Files dropped here are handed in and fitted; the page follows both. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useLoaded } from "../loading";
import { writeTime } from "../parts/numbers";
import { Empty, Shown } from "../parts/states";
import { linkTo } from "../router";
import { ask, follow, forget, getJson, headers, postJson } from "../sources/live";

interface Job { id: string; upload: string; status: string; message: string; run: string | null; progress: Record<string, unknown> | null; created_at: number }
interface Step { name: string; words: string; share: number | null; job: Job | null; isFault: boolean }

const OVER = ["done", "failed", "cancelled"];

/* With XMLHttpRequest, because fetch does not tell how much was sent. */
const send = (file: File, tell: (share: number) => void): Promise<{ id: string }> => new Promise((done, fail) => {
  const request = new XMLHttpRequest();
  request.open("POST", `/v1/uploads?name=${encodeURIComponent(file.name)}`);
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
  request.upload.onprogress = (event) => tell(event.loaded / Math.max(1, event.total));
  request.onerror = () => fail(new Error("The service does not answer."));
  request.onload = () => {
    let body: { id: string; detail?: string } = { id: "" };
    try { body = JSON.parse(request.responseText); } catch { /* Said below. */ }
    if (request.status < 300) done(body); else fail(new Error(body.detail ?? `The service answered ${request.status}.`));
  };
  request.send(file);
});

const sayJob = (job: Job): string => {
  const told = job.progress ? Object.entries(job.progress).filter(([, v]) => typeof v !== "object").map(([k, v]) => `${k.replaceAll("_", " ")} ${String(v)}`).join(", ") : "";
  return [job.status, job.message || told].filter(Boolean).join(": ");
};

const JobLine = ({ step, cancel }: { step: Step; cancel: (job: Job) => void }) => (
  <li class={step.isFault ? "doubt" : undefined}>
    <strong>{step.name}</strong> <span role="status">{step.words}</span>{" "}
    {step.share !== null ? <progress value={step.share} max={1} aria-label={`${step.name} handed in`} /> : step.job && !OVER.includes(step.job.status) && <><progress aria-label={`${step.name} is fitted`} /> <button type="button" onClick={() => cancel(step.job!)}>Cancel</button></>}
    {step.job?.run && <a href={linkTo(["run", step.job.run])}>Open the run</a>}
  </li>
);

/* Jobs, and the files that they are of by id. */
const readJobs = async (): Promise<{ jobs: Job[]; files: Map<string, string> }> => {
  const [{ jobs }, { uploads }] = await Promise.all([getJson<{ jobs: Job[] }>("/v1/jobs"), getJson<{ uploads: { id: string; name: string }[] }>("/v1/uploads")]);
  return { jobs, files: new Map(uploads.map((upload) => [upload.id, upload.name])) };
};

export const UploadPage = () => {
  const [steps, setSteps] = useState<Step[]>([]);
  const [model, setModel] = useState("2pl");
  const [isOver, setIsOver] = useState(false);
  const jobs = useLoaded(readJobs, [steps.filter((s) => s.job && OVER.includes(s.job.status)).length], true);
  const field = useRef<HTMLInputElement>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const take = async (file: File): Promise<void> => {
    const at = `${file.name}`;
    const tell = (change: Partial<Step>): void => setSteps((before) => before.map((step) => (step.name === at ? { ...step, ...change } : step)));
    setSteps((before) => [{ name: at, words: "is handed in …", share: 0, job: null, isFault: false }, ...before.filter((step) => step.name !== at)]);
    try {
      const upload = await send(file, (share) => tell({ share }));
      const job = await postJson<Job>("/v1/jobs", { upload: upload.id, model });
      tell({ share: null, job, words: "waits to be fitted …" });
      await follow(`/v1/jobs/${job.id}/events`, () => { void getJson<Job>(`/v1/jobs/${job.id}`).then((now) => tell({ job: now, words: sayJob(now) })); }, stop.current.signal);
      const ended = await getJson<Job>(`/v1/jobs/${job.id}`);
      tell({ job: ended, words: sayJob(ended), isFault: ended.status === "failed" });
      forget();
    } catch (error) {
      if (!stop.current.signal.aborted) tell({ words: (error as Error).message, share: null, isFault: true });
    }
  };
  const takeAll = (files: FileList | null | undefined): void => { for (const file of files ?? []) void take(file); };
  const drop = (event: DragEvent): void => { event.preventDefault(); setIsOver(false); takeAll(event.dataTransfer?.files); };
  const cancel = (job: Job): void => { void ask(`/v1/jobs/${job.id}/cancel`, { method: "POST" }).catch(() => undefined); };
  return (
    <>
      <h1>Hand in a file</h1>
      <div class={`drop${isOver ? " over" : ""}`} onDragOver={(event) => { event.preventDefault(); setIsOver(true); }} onDragLeave={() => setIsOver(false)} onDrop={drop}>
        <p><strong>Drop files here</strong>, or <button type="button" onClick={() => field.current?.click()}>choose them</button></p>
        <p class="hint">Responses (.csv, .npz, .parquet: a row per respondent, a column per item), a log of a harness, or a ZIP archive of logs.</p>
        <input ref={field} type="file" multiple class="unseen" tabIndex={-1} aria-label="Files to hand in" onChange={(event) => takeAll((event.target as HTMLInputElement).files)} />
        <label>Model <select value={model} onChange={(event) => setModel((event.target as HTMLSelectElement).value)}>{["2pl", "1pl", "3pl", "beta3", "grm"].map((name) => <option key={name}>{name}</option>)}</select></label>
      </div>
      <ul class="steps">{steps.map((step) => <JobLine key={step.name} step={step} cancel={cancel} />)}</ul>
      <h2>Earlier</h2>
      <Shown loaded={jobs} what="Looking for jobs">
        {({ jobs: all, files }) => !all.length ? <Empty title="Nothing was handed in yet" /> : (
          <ul class="steps">{all.slice(0, 20).map((job) => <li key={job.id}><strong>{files.get(job.upload) ?? "A file"}</strong>, {writeTime(job.created_at)}: {sayJob(job)} {job.run && <a href={linkTo(["run", job.run])}>Open the run</a>}</li>)}</ul>
        )}
      </Shown>
    </>
  );
};

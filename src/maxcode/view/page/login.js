// Asks for the token, or takes it from the fragment of the address, which no server ever sees.

const form = document.getElementById("login");
const field = document.getElementById("token");

async function enter(token) {
  const answer = await fetch("/login", {
    method: "POST",
    headers: { "content-type": "application/json", "x-maxcode": "1" },
    body: JSON.stringify({ token }),
  });
  if (answer.ok) return location.replace("/");
  document.getElementById("said").textContent = (await answer.json()).error;
  field.select();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(field.value.trim());
});

const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  history.replaceState(null, "", "/login");
  enter(given);
}

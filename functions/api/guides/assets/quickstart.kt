// Needs Java 17 and org.jetbrains.kotlinx:kotlinx-serialization-json. Set DAYBOOK_KEY=sk_sandbox_... to start it.
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.math.roundToInt
import kotlinx.serialization.json.*

val url = System.getenv("DAYBOOK_URL") ?: "http://localhost:8787"
val key = System.getenv("DAYBOOK_KEY") ?: error("Set DAYBOOK_KEY to a sandbox key.")
val client: HttpClient = HttpClient.newHttpClient()

fun call(path: String, body: String? = null): JsonObject {
    val request = HttpRequest.newBuilder(URI(url + path))
        .header("authorization", "Bearer $key")
        .header("content-type", "application/json")
    if (body != null) request.POST(HttpRequest.BodyPublishers.ofString(body))
    val response = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
    check(response.statusCode() < 300) { "${response.statusCode()} ${response.body()}" }
    return Json.parseToJsonElement(response.body()).jsonObject
}

fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

/** Follows the user's events. Each page has a cursor, which the next request sends. */
fun waitForData(userId: String): JsonObject {
    var cursor = ""
    repeat(60) {
        val page = call("/v1/events?user_id=$userId&types=data.updated$cursor")
        page.getValue("events").jsonArray.firstOrNull()?.let { return it.jsonObject }
        cursor = "&cursor=${page.text("cursor")}"
        Thread.sleep(1000)
    }
    error("No data arrived within a minute.")
}

fun main() {
    // 1. Create a user. In the sandbox, the user gets a ring and a phone with seven days of data.
    val id = call("/v1/users", """{"timezone": "Europe/London"}""").text("id")
    println("user $id")

    // 2. Wait for the event that says that data has arrived.
    val event = waitForData(id)

    // 3. React to the event: read the days that it names, with the device behind each value.
    val days = "from_date=${event.text("from_date")}&to_date=${event.text("to_date")}"
    val daily = call("/v1/users/$id/daily?types=steps&include_sources=true&$days")
    val steps = daily.getValue("series").jsonObject.getValue("steps").jsonArray
    val sources = daily.getValue("sources").jsonObject.getValue("steps").jsonArray

    // 4. Draw a chart. Missing is null, never 0.
    daily.getValue("dates").jsonArray.forEachIndexed { index, date ->
        val value = steps[index].jsonPrimitive.doubleOrNull
        val bar = if (value == null) "no value" else "#".repeat((value / 500).roundToInt()) + " " + steps[index]
        val provider = (sources[index] as? JsonObject)?.text("provider") ?: ""
        println("${date.jsonPrimitive.content} $bar $provider")
    }
}
